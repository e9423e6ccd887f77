import { describe, expect, it } from 'vitest'
import { growSetChecker } from '../../../../src/checkers/linearizability/exact/sets/grow-set.js'
import { setElementsChecker } from '../../../../src/checkers/linearizability/exact/sets/set-elements.js'
import type { Json } from '../../../../src/json.js'
import { set } from '../../../../src/models/index.js'
import { expectAgreement, patienceMs } from './agreement.js'
import { played, type Simulation } from './played.js'

/** A set of few elements; `answers` says whether an add or remove answers what it changed. */
function simulated({
  types = ['add', 'remove', 'contains'],
  elements = 1,
  answers = () => true,
}: {
  types?: readonly string[]
  elements?: number
  answers?: (type: string, element: number) => boolean
}): Simulation<readonly number[]> {
  return {
    init: [],
    act: (_n, [which = 0, what = 0]) => ({
      type: types[which % types.length] as string,
      input: what % elements,
    }),
    apply(state, { type, input }) {
      const element = Number(input)
      const present = state.includes(element)
      const without = state.filter((other) => other !== element)
      if (type === 'contains') return [state, present]
      const next = type === 'add' ? [...without, element] : without
      return [next, answers(type, element) ? present === (type === 'remove') : null]
    },
    spoil: (output) => (typeof output === 'boolean' ? !output : output),
  }
}

/** A set of distinct elements that is read whole. */
const growing: Simulation<readonly number[]> = {
  init: [],
  act: (n, [which = 0]) => (which % 2 === 0 ? { type: 'add', input: n } : { type: 'read', input: null }),
  apply: (state, { type, input }) =>
    type === 'add' ? [[...state, Number(input)], null] : [state, [...state]],
  spoil(output, _act, dice) {
    if (!Array.isArray(output)) return output
    const [, where = 0, what = 0, how = 0] = dice
    const rest = output.filter((_, i) => i !== where % output.length)
    return how % 2 === 0 ? rest : ([...output, what % 9] satisfies Json)
  },
}

describe('set elements', { timeout: patienceMs }, () => {
  it('decides every history of an element whose changes answer, as the definition does', () => {
    const histories = played(simulated({}))
    expect(expectAgreement(setElementsChecker, set(), histories)).toBe(0)
  })

  it('makes violations of longer histories small', () => {
    const histories = played(simulated({}), { most: 20 })
    expect(expectAgreement(setElementsChecker, set(), histories)).toBe(0)
  })

  it('decides several elements at once', () => {
    const histories = played(simulated({ elements: 3, types: ['add', 'add', 'remove', 'contains'] }))
    expect(expectAgreement(setElementsChecker, set(), histories)).toBe(0)
  })

  it('decides elements that are only added, or only removed, without answers', () => {
    const blindly = { elements: 2, answers: () => false }
    const added = played(simulated({ ...blindly, types: ['add', 'contains', 'contains'] }), {
      spoiltOfTen: 3,
    })
    expect(expectAgreement(setElementsChecker, set(), added)).toBe(0)
    const partly = { ...blindly, answers: (_: string, element: number) => element === 0 }
    const removed = played(simulated({ ...partly, types: ['remove', 'contains'] }), {
      spoiltOfTen: 3,
    })
    expect(expectAgreement(setElementsChecker, set(), removed)).toBe(0)
  })

  it('decides one add and one remove without answers, and is never wrong about more of them', () => {
    for (const silent of [['add', 'remove'], ['remove'], ['add']]) {
      const simulation = simulated({
        elements: 2,
        types: ['add', 'remove', 'contains', 'contains'],
        answers: (type) => !silent.includes(type),
      })
      const undecided = expectAgreement(setElementsChecker, set(), played(simulation, { spoiltOfTen: 2 }))
      expect(undecided).toBeLessThan(0.6)
    }
  })
})

describe('grow-only set chain', { timeout: patienceMs }, () => {
  it('decides every history of distinct adds and reads of the whole, as the definition does', () => {
    const undecided = expectAgreement(growSetChecker, set(), played(growing, { spoiltOfTen: 2 }))
    // Histories without any read are those of single elements.
    expect(undecided).toBeLessThan(0.2)
  })
})
