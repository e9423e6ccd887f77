import type { Limit } from './link-rule.js'

/** So much of a pause can be caught up with. */
const burstMs = 20
/** The buffer of a usual router; what does not fit in makes its sender wait. */
const bufferMs = 200
/** What a link sends in one go. */
const pieceMs = 10

/**
 * A link of so many bits a second: a virtual clock runs ahead of the real one by what the link still has to send. Data
 * that comes while it is less than 20 ms ahead goes through at once.
 */
export function tokenBucket(bitsPerSecond: number, now: () => number = () => performance.now()): Limit {
  const bytesPerMs = bitsPerSecond / 8 / 1_000
  let busyUntil = 0
  return {
    kind: 'limit',
    waitMs(bytes) {
      const at = now()
      const start = Math.max(busyUntil, at)
      busyUntil = start + bytes / bytesPerMs
      return Math.max(0, start - at - burstMs)
    },
    pieceBytes: Math.max(512, Math.floor(bytesPerMs * pieceMs)),
    heldBytesMax: Math.max(16_384, Math.floor(bytesPerMs * bufferMs)),
  }
}
