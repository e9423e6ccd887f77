import type { Disturbance, StorageReading, StorageRule } from '../../capabilities.js'
import type { FuseDisk } from './disk.js'

/** What a disturbance on a file system of our own counts. */
function signalOf(disturbance: Disturbance): string {
  switch (disturbance.kind) {
    case 'full':
      return 'operations that found no space'
    case 'slow':
      return 'writes and syncs that were held up'
    case 'fail':
      return `operations of the kind ${disturbance.operation} that failed`
    case 'flip':
      return `bits flipped in what was ${disturbance.on === 'read' ? 'read' : 'written'}`
  }
}

/** Puts a disturbance on a node's file system; for flipped bits it tells which. */
export async function fuseRule(
  disk: FuseDisk,
  disturbance: Disturbance,
  mechanism: string,
): Promise<StorageRule> {
  const id = await disk.tell('disturb', { disturbance })
  let last = 0
  let removed: Promise<unknown> | null = null
  const read = async () => {
    const now = await disk.tell('disturbed', { id })
    if (now !== null) last = now.met
    return now
  }
  return {
    mechanism,
    async counters() {
      await read()
      return [{ signal: signalOf(disturbance), value: last }]
    },
    ...(disturbance.kind === 'flip'
      ? {
          async victims(): Promise<readonly StorageReading[]> {
            const where = disturbance.on === 'read' ? 'as the node was given it' : 'as it is on the disk'
            return ((await read())?.flips ?? []).map(({ path, offset, before, after }) => ({
              signal: `byte ${offset} of ${path}, ${where}`,
              before: hex(before),
              after: hex(after),
            }))
          },
        }
      : {}),
    async remove() {
      await (removed ??= read().then(() => disk.tell('undisturb', { id })))
    },
    present: async () => (await disk.tell('disturbed', { id })) !== null,
  }
}

function hex(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`
}
