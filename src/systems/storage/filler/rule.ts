import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FaultError, messageOf } from '../../../errors.js'
import type { UndoJournal } from '../../../nemesis/undo/journal.js'
import { sleep } from '../../../time/sleep.js'
import type { StorageReading, StorageRule } from '../../capabilities.js'
import { spaceOf } from '../data-files.js'
import type { NodePlace } from '../mechanism.js'
import { fill, probeWrite } from './fill.js'
import { fillerName, probeName } from './name.js'

/** A node that frees space meanwhile, as by rewriting its files, finds it taken again after this long. */
const refillEveryMs = 100

interface Space {
  /** Bytes. */
  readonly free: number
  /** How a small write went. */
  readonly write: Awaited<ReturnType<typeof probeWrite>>
}

/** Takes up all space of a node's own file system until it is removed. */
export async function fillerRule(place: NodePlace, journal: UndoJournal): Promise<StorageRule> {
  const filler = join(place.dataDir, fillerName)
  const probe = join(place.dataDir, probeName)
  const read = async (): Promise<Space> => ({
    free: (await spaceOf(place.dataDir)).freeBytes,
    write: await probeWrite(probe),
  })
  // Before the first write of our own, which may outlive this process as well.
  const entry = await journal.open({ kind: 'filler', path: filler })
  let before: Space | null = null
  let bytes = 0
  let trouble: string | null = null
  const removal = new AbortController()
  try {
    before = await spaceBefore(place.name, read)
    bytes += await fill(filler)
  } catch (error) {
    // Without a look before it the filler is somebody else's.
    if (before !== null) await rm(filler, { force: true })
    await journal.close(entry)
    throw error
  }
  const { free, write } = before
  const keeping = keep()
  async function keep(): Promise<void> {
    while (!removal.signal.aborted) {
      await sleep(refillEveryMs, removal.signal)
      if (removal.signal.aborted) return
      try {
        bytes += await fill(filler)
        trouble = null
      } catch (error) {
        // Said with the evidence if it stays that way.
        trouble = messageOf(error)
      }
    }
  }
  let removed: Promise<void> | null = null
  return {
    mechanism: 'filler file',
    async counters() {
      if (trouble !== null) throw new FaultError('filler', `${place.name}: ${trouble}`)
      return [{ signal: 'bytes taken up by a filler', value: bytes }]
    },
    async readings(): Promise<readonly StorageReading[]> {
      const now = await read()
      return [
        { signal: 'free bytes', before: free, after: now.free },
        { signal: 'a write of 4096 bytes', before: write, after: now.write },
      ]
    },
    remove() {
      removed ??= (async () => {
        removal.abort()
        await keeping
        await rm(filler, { force: true })
        await journal.close(entry)
      })()
      return removed
    },
    present: () =>
      stat(filler).then(
        () => true,
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return false
          throw error
        },
      ),
  }
}

async function spaceBefore(node: string, read: () => Promise<Space>): Promise<Space> {
  const before = await read()
  if (before.write === 'written') return before
  throw new FaultError('full', `${node} has no space left already, before it is taken`)
}
