import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { semaphoreChecker } from '../../../../src/checkers/linearizability/exact/locks/semaphore.js'
import type { Operation } from '../../../../src/history/operation.js'
import { lock, semaphore } from '../../../../src/models/index.js'
import { expectAgreement, patienceMs } from './agreement.js'
import { recorded } from './played.js'

const step = fc.record({
  process: fc.nat(2),
  pause: fc.nat(4),
  length: fc.nat(6),
  outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'unknown'),
  /** Mostly the other way than before. */
  again: fc.nat(9),
})

/**
 * Processes that acquire and release in turn, mostly. After an unknown outcome a process is replaced by another,
 * unless `reuse`.
 */
function holds({ reuse = false }: { reuse?: boolean } = {}): fc.Arbitrary<Operation[]> {
  return fc.array(step, { maxLength: 8, size: 'max' }).map((steps) => {
    const free = [0, 0, 0]
    const names = [0, 1, 2]
    const holding = [false, false, false]
    return steps.map(({ process, pause, length, outcome, again }, n) => {
      const invoke = free[process]! + pause
      const type = holding[process] === again < 9 ? 'release' : 'acquire'
      const happened = outcome !== 'failed'
      if (happened) holding[process] = type === 'acquire'
      const complete = invoke + length
      free[process] = complete + 1
      const name = names[process]!
      if (outcome === 'unknown' && !reuse) {
        names[process] = name + 3
        holding[process] = false
      }
      return recorded(n, { type, input: null, output: null, outcome, invoke, complete, process: name })
    })
  })
}

describe('lock holds', { timeout: patienceMs }, () => {
  it('decides every history of a lock, as the definition does', () => {
    expect(expectAgreement(semaphoreChecker, lock(), holds())).toBe(0)
  })

  it('decides every history of a semaphore, also of processes that hold several permits', () => {
    expect(expectAgreement(semaphoreChecker, semaphore(2), holds())).toBe(0)
  })

  it('is never wrong about processes that go on after an unknown outcome', () => {
    const undecided = expectAgreement(semaphoreChecker, lock(), holds({ reuse: true }))
    expect(undecided).toBeGreaterThan(0.1)
  })
})
