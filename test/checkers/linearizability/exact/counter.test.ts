import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { counterChecker } from '../../../../src/checkers/linearizability/exact/counter/counter.js'
import { counter } from '../../../../src/models/index.js'
import { expectAgreement, patienceMs } from './agreement.js'
import { played, type Simulation } from './played.js'

/** A counter that starts at `init` and to which each add adds what `amount` chooses. */
function simulated({
  init = 0,
  amount = () => 1,
  types = ['inc', 'read'],
}: {
  init?: number
  amount?: (dice: number) => number
  types?: readonly string[]
}): Simulation<number> {
  return {
    init,
    act: (_n, [which = 0, much = 0]) => {
      const type = types[which % types.length] as string
      return { type, input: type === 'read' ? null : amount(much) }
    },
    apply(state, { type, input }) {
      if (type === 'read') return [state, state]
      const next = state + Number(input)
      return [next, type === 'add-and-get' ? next : type === 'get-and-add' ? state : null]
    },
    spoil: (output, _act, dice) =>
      output === null ? null : Number(output) + ((dice[3] ?? 0) % 2 === 0 ? 1 : -1),
  }
}

describe('counter growth', { timeout: patienceMs }, () => {
  it('decides every history of increments and reads, as the definition does', () => {
    const undecided = expectAgreement(counterChecker, counter(), played(simulated({}), { spoiltOfTen: 2 }))
    expect(undecided).toBe(0)
  })

  it('decides increments that answer the value, among others that do not', () => {
    const types = ['inc', 'read', 'add-and-get', 'get-and-add', 'add-and-get']
    const undecided = expectAgreement(counterChecker, counter(), played(simulated({ types })))
    expect(undecided).toBe(0)
  })

  it('decides adds of one other amount, from another start, also downwards', () => {
    const types = ['add', 'read', 'get-and-add']
    for (const amount of [3, -2]) {
      const simulation = simulated({ init: 7, amount: () => amount, types })
      const undecided = expectAgreement(counterChecker, counter({ init: 7 }), played(simulation))
      expect(undecided).toBe(0)
    }
  })

  it('is never wrong about adds of different amounts', () => {
    const simulation = simulated({
      amount: (dice) => [1, 2, -1, 5][dice % 4] as number,
      types: ['add', 'read'],
    })
    const spread = fc.oneof(played(simulation, { most: 4, spoiltOfTen: 3 }), played(simulation, { most: 3 }))
    expect(expectAgreement(counterChecker, counter(), spread)).toBeLessThan(0.7)
  })
})
