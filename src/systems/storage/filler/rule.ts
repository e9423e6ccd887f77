import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FaultError, messageOf } from '../../../errors.js'
import type { UndoJournal } from '../../../nemesis/undo/journal.js'
import { sleep } from '../../../time/sleep.js'
import type { StorageReading, StorageRule } from '../../capabilities.js'
import { spaceOf } from '../data-files.js'
import type { NodePlace } from '../mechanism.js'
import { fill, probeWrite } from './fill.js'
import { fillerName } from './name.js'

/** A node that frees space meanwhile, as by rewriting its files, finds it taken again after this long. */
const refillEveryMs = 100

/** Takes up all space of a node's own file system until it is removed. */
export async function fillerRule(place: NodePlace, journal: UndoJournal): Promise<StorageRule> {
  const filler = join(place.dataDir, fillerName)
  const probe = join(place.dataDir, '.nemesis-probe')
  const read = async () => ({
    free: (await spaceOf(place.dataDir)).freeBytes,
    write: await probeWrite(probe),
  })
  const before = await read()
  if (before.write !== 'written') {
    throw new FaultError('full', `${place.name} has no space left already, before it is taken`)
  }
  const entry = await journal.open({ kind: 'filler', path: filler })
  let bytes = 0
  let trouble: string | null = null
  const removal = new AbortController()
  try {
    bytes += await fill(filler)
  } catch (error) {
    await rm(filler, { force: true })
    await journal.close(entry)
    throw error
  }
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
        { signal: 'free bytes', before: before.free, after: now.free },
        { signal: 'a write of 4096 bytes', before: before.write, after: now.write },
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
