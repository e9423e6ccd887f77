import { describe, expect, it } from 'vitest'
import { logChecker } from '../../../../src/checkers/linearizability/exact/log/log.js'
import type { Json } from '../../../../src/json.js'
import { log } from '../../../../src/models/index.js'
import { expectAgreement, patienceMs } from './agreement.js'
import { played, type Act, type Simulation } from './played.js'

type Kind = 'append' | 'silent' | 'list' | 'at' | 'tail' | 'slice'

/** A log of distinct entries, some of whose appends (`silent`) do not answer their offset. */
function simulated(kinds: readonly Kind[]): Simulation<readonly number[]> {
  return {
    init: [],
    act(n, [which = 0, where = 0]): Act {
      switch (kinds[which % kinds.length] as Kind) {
        case 'append':
          return { type: 'append', input: 100 + n }
        case 'silent':
          return { type: 'append', input: 200 + n }
        case 'at':
          return { type: 'read', input: where % 4 }
        case 'slice':
          return { type: 'read', input: { from: where % 3 } }
        case 'tail':
          return { type: 'tail', input: null }
        case 'list':
          return { type: 'read', input: null }
      }
    },
    apply(state, { type, input }) {
      if (type === 'tail') return [state, state.length]
      if (type === 'append') {
        return [[...state, Number(input)], Number(input) >= 200 ? null : { offset: state.length }]
      }
      if (input === null) return [state, [...state]]
      if (typeof input === 'number') return [state, state[input] ?? null]
      const from = (input as { from: number }).from
      const records = state.slice(from, from + 2).map((entry, i): Json => [from + i, entry])
      return [state, { from, records }]
    },
    spoil(output, { type, input }, dice) {
      const [, , much = 0, which = 0] = dice
      const other = 100 + (much % 8)
      if (type === 'tail') return Math.max(0, Number(output) + (which % 2 === 0 ? 1 : -1))
      if (type === 'append') return output === null ? null : { offset: much % 4 }
      if (typeof input === 'number') return which % 3 === 0 ? other : null
      if (!Array.isArray(output)) {
        const { from, records } = output as { from: number; records: Json[] }
        return {
          from,
          records: which % 2 === 0 ? records.slice(0, -1) : [...records, [from + records.length, other]],
        }
      }
      return which % 2 === 0 ? output.slice(0, -1) : [...output, other]
    },
  }
}

describe('log order', { timeout: patienceMs }, () => {
  it.each<[string, Kind[]]>([
    ['lists alone', ['silent', 'list']],
    ['offsets and reads at an offset', ['append', 'append', 'at']],
    ['some offsets, lengths and lists', ['append', 'silent', 'tail', 'list']],
    ['slices, and appends that do not answer', ['append', 'silent', 'slice', 'slice']],
    ['everything', ['append', 'append', 'silent', 'list', 'at', 'tail', 'slice']],
  ])('decides every history with %s, as the definition does', (_, kinds) => {
    expect(expectAgreement(logChecker, log(), played(simulated(kinds), { spoiltOfTen: 2 }))).toBeLessThan(
      0.01,
    )
  })

  it('says why when an entry is appended twice', () => {
    const twice: Simulation<readonly number[]> = {
      ...simulated(['silent', 'list']),
      act: (_n, [which = 0]) =>
        which % 2 === 0 ? { type: 'append', input: which % 3 } : { type: 'read', input: null },
    }
    expect(expectAgreement(logChecker, log(), played(twice, { most: 5, spoiltOfTen: 4 }))).toBeGreaterThan(
      0.1,
    )
  })
})
