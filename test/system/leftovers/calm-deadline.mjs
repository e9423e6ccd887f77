import { readFileSync } from 'node:fs'

/** Real time that a deadline may take, as a multiple of its own. */
const atMost = 12

/**
 * A deadline of so many milliseconds of a machine that has time: while others keep it busy, so that work on it waits for a
 * CPU or a disk (pressure stall information), the clock of the deadline stands. It ends in twelve times its time at the
 * latest. Where the kernel tells no pressure it is one like any other.
 */
export function calmDeadline(ms) {
  const began = performance.now()
  const before = waitedMs()
  return {
    passed() {
      const elapsedMs = performance.now() - began
      const stoodMs = Math.max(...waitedMs().map((each, index) => each - before[index]))
      return elapsedMs >= atMost * ms || elapsedMs - stoodMs >= ms
    },
  }
}

/** Milliseconds in which something on this machine has waited for a CPU so far, and for a disk. */
function waitedMs() {
  return ['cpu', 'io'].map((what) => {
    try {
      const [, total] = /^some .*total=(\d+)/m.exec(readFileSync(`/proc/pressure/${what}`, 'latin1')) ?? []
      return Number(total ?? 0) / 1_000
    } catch {
      // A kernel without it.
      return 0
    }
  })
}
