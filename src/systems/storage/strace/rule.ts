import { join } from 'node:path'
import { FaultError, messageOf } from '../../../errors.js'
import type { UndoJournal } from '../../../nemesis/undo/journal.js'
import { sleep } from '../../../time/sleep.js'
import type { StorageRule } from '../../capabilities.js'
import { filesIn } from '../data-files.js'
import type { NodePlace } from '../mechanism.js'
import type { SystemCallInjection } from './injection.js'
import { processTree } from './process-tree.js'
import { startTracer, type Tracer } from './tracer.js'

/** How often it is looked whether the node was started anew, or has made further files. */
const lookEveryMs = 200
/** strace compares each path with those of every call; and a command line has an end. */
const pathsMax = 5_000

export interface StraceOptions {
  readonly run: string
  readonly journal: UndoJournal
}

/**
 * Traces a node until it is removed. A node that is started anew is traced again, and files that it makes are met as
 * well, within a fifth of a second each.
 */
export async function straceRule(
  place: NodePlace,
  injection: SystemCallInjection,
  { run, journal }: StraceOptions,
): Promise<StorageRule> {
  // By the mark of the run; on disk before the tracer is there.
  const entry = await journal.open({ kind: 'processes', run })
  let current: { readonly tracer: Tracer; readonly paths: readonly string[] } | null = null
  /** What earlier tracers of this rule have met. */
  let metBefore = 0
  let trouble: string | null = null
  const removal = new AbortController()

  const detach = async (): Promise<void> => {
    if (current === null) return
    const { tracer } = current
    await tracer.stop()
    metBefore += tracer.met
    current = null
  }
  /** False when the node does not run. */
  const attach = async (paths: readonly string[]): Promise<boolean> => {
    const pid = await place.pid()
    const pids = pid === null ? [] : await processTree(pid)
    if (pids.length === 0) return false
    current = { tracer: await startTracer({ run, pids, injection, paths }), paths }
    return true
  }
  const look = async (): Promise<void> => {
    if (current !== null && current.tracer.ended !== null) await detach()
    const paths = injection.onDataOnly ? await pathsOf(place) : []
    if (current?.paths.join('\0') === paths.join('\0')) return
    await detach()
    await attach(paths)
  }

  try {
    if (!(await attach(injection.onDataOnly ? await pathsOf(place) : []))) {
      throw new FaultError('not-running', `${place.name} does not run, so it cannot be traced`)
    }
  } catch (error) {
    await journal.close(entry)
    throw error
  }
  const keeping = keep()
  async function keep(): Promise<void> {
    while (!removal.signal.aborted) {
      await sleep(lookEveryMs, removal.signal)
      if (removal.signal.aborted) return
      try {
        await look()
        trouble = null
      } catch (error) {
        // A node that is just ending cannot be traced. Said with the evidence if it stays that way.
        trouble = messageOf(error)
      }
    }
  }

  let removed: Promise<void> | null = null
  return {
    mechanism: injection.mechanism,
    async counters() {
      if (trouble !== null) throw new FaultError('strace', `${place.name}: ${trouble}`)
      return [{ signal: injection.signal, value: metBefore + (current?.tracer.met ?? 0) }]
    },
    remove() {
      removed ??= (async () => {
        removal.abort()
        await keeping
        await detach()
        await journal.close(entry)
      })()
      return removed
    },
    present: async () => current !== null && current.tracer.ended === null,
  }
}

/** The files and directories of a node as it names them. */
async function pathsOf(place: NodePlace): Promise<readonly string[]> {
  const files = await filesIn(place.dataDir)
  if (files.length > pathsMax) {
    throw new FaultError(
      'strace',
      `${place.name} has ${files.length} files in its data directory: at most ${pathsMax} can be told apart`,
    )
  }
  // With no file at all, the directory stands for what will be in it: an empty list would mean every file and socket.
  return [place.ownDataDir, ...files.map(({ path }) => join(place.ownDataDir, path))]
}
