import { never, none, semaphoreKind, type Decision, type ExactChecker, type Part } from '../../part.js'
import { inOrder } from '../in-order.js'
import { timelineOf } from '../timeline.js'
import { localProcesses } from './local-processes.js'

/**
 * Locks and semaphores: a permit is certainly held from the return of its acquire to the invocation of its release, and
 * all holds can be shrunk to that at once; so all is well unless more permits than there are were held at one moment, or
 * a process released what it did not hold. An acquire of unknown outcome with nothing after it is left out, a release of
 * unknown outcome may have taken effect at once. Exact. O(n).
 */
export const semaphoreChecker: ExactChecker = {
  name: 'lock holds',
  object: 'semaphore',
  preconditions: 'a process does one operation at a time, and none after one of unknown outcome',
  decide(part) {
    const { kind, a, complete, count } = part
    const permits = count === 0 ? 1 : a[0]!
    const { of: process, count: processes } = localProcesses(part)
    const current = new Int32Array(processes).fill(none)
    // The acquires whose permits a process certainly holds, the last one first.
    const held = new Int32Array(processes).fill(none)
    const heldBefore = new Int32Array(count).fill(none)
    const lastReleased = new Int32Array(processes).fill(none)
    const releaseOf = new Int32Array(count).fill(none)
    let holds = 0
    let overflow: readonly number[] | null = null
    let unheld: number | null = null

    for (const event of timelineOf(part)) {
      const i = Math.abs(event) - 1
      const who = process[i]!
      if (event < 0) {
        current[who] = none
        if (kind[i] !== semaphoreKind.acquire) continue
        heldBefore[i] = held[who]!
        held[who] = i
        holds += 1
        if (holds > permits && overflow === null && unheld === null) overflow = holdersIn(held, heldBefore)
        continue
      }
      if (current[who] !== none) return busy
      current[who] = i
      if (kind[i] !== semaphoreKind.release) continue
      const acquire = held[who]!
      if (acquire !== none) {
        held[who] = heldBefore[acquire]!
        releaseOf[acquire] = i
        if (unheld === null) lastReleased[who] = acquire
        holds -= 1
      } else if (complete[i] !== never && overflow === null && unheld === null) {
        // An unknown release of nothing never happens.
        unheld = i
      }
    }
    if (overflow !== null) return tooMany(part, { holders: overflow, permits, releaseOf })
    if (unheld !== null) {
      return notHeld(part, { release: unheld, before: lastReleased[process[unheld]!]!, releaseOf })
    }
    return { valid: true }
  },
}

const busy: Decision = {
  valid: 'unknown',
  reason: 'a process began an operation while another of its own was open or of unknown outcome',
}

function holdersIn(held: Int32Array, heldBefore: Int32Array): number[] {
  const holders: number[] = []
  for (const top of held) {
    for (let acquire = top; acquire !== none; acquire = heldBefore[acquire]!) holders.push(acquire)
  }
  return holders
}

function tooMany(
  part: Part,
  { holders, permits, releaseOf }: { holders: readonly number[]; permits: number; releaseOf: Int32Array },
): Decision {
  const releases = holders.map((acquire) => releaseOf[acquire]!).filter((release) => release !== none)
  const holding = inOrder(part, holders)
  return {
    valid: false,
    violation: {
      type: permits === 1 ? 'two-holders' : 'too-many-holders',
      operations: inOrder(part, [...holders, ...releases]),
      explain: ({ tell }) =>
        `${holding.map(tell).join(' and ')} had all returned before any of these holds began to be released; there ${permits === 1 ? 'is one permit' : `are ${permits} permits`}.`,
    },
  }
}

function notHeld(
  part: Part,
  { release, before, releaseOf }: { release: number; before: number; releaseOf: Int32Array },
): Decision {
  const earlier = before === none ? [] : [before, releaseOf[before]!]
  return {
    valid: false,
    violation: {
      type: 'release-without-hold',
      operations: inOrder(part, [...earlier, release]),
      explain: ({ tell }) =>
        before === none
          ? `${tell(release)} was answered although the process had never acquired it.`
          : `${tell(release)} was answered although the process had already released what it held, by ${tell(releaseOf[before]!)}.`,
    },
  }
}
