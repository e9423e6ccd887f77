import { describe, expect, it } from 'vitest'
import { refuter } from '../../../../../src/checkers/linearizability/exact/register/refuter.js'
import { registerKind } from '../../../../../src/checkers/linearizability/part.js'
import { codedPart, type Coded } from '../../parts.js'
import { compare, randomHistories, report, smallestShare } from './judge.js'

const { read, write, cas, differs } = registerKind
const words = { tell: (operation: number) => `<${operation}>`, value: (id: number) => `v${id}` }

function decide(...operations: readonly Coded[]) {
  const decision = refuter.decide(codedPart('register', operations))
  if (decision.valid !== false) return decision
  const { type, operations: core, explain } = decision.violation
  return { type, core, told: explain(words) }
}

describe('a register whose values are written more than once', () => {
  it(
    'never disagrees with the definition on random small histories, and its violations stand alone',
    { timeout: 3_600_000 },
    () => {
      const tally = compare(refuter.decide, {
        count: randomHistories(3_000),
        seed: 17,
        shapeOf: (random) => ({
          operations: Math.floor(random() * 11),
          clients: 2 + Math.floor(random() * 3),
          unknown: random() < 0.1 ? 1 : random() < 0.5 ? 0.2 : 0,
          reads: 0.5,
          cas: 0,
          values: 2 + Math.floor(random() * 5),
          spoilt: 0.8,
          failed: 0.05,
        }),
      })
      report('register-refuter', tally)
      expect(smallestShare(tally)).toBeGreaterThan(0.1)
      expect(tally.valid).toBeGreaterThan(0)
      expect(tally.undecidedInvalid / (tally.undecidedInvalid + tally.invalid)).toBeLessThan(0.03)
      expect(Object.keys(tally.types)).toEqual(
        expect.arrayContaining([
          'stale-value',
          'value-from-the-future',
          'value-never-written',
          'value-came-back',
        ]),
      )
    },
  )

  it('tells a value whose every write had been overwritten', () => {
    const history: Coded[] = [
      [write, 1, 0, 0, 1],
      [write, 2, 0, 2, 3],
      [write, 1, 0, 4, 5],
      [write, 2, 0, 6, 7],
      [read, 1, 0, 8, 9],
    ]
    expect(decide(...history)).toEqual({
      type: 'stale-value',
      core: [2, 3, 4],
      told: '<4> saw v1, every write of which had been overwritten: the last of them, <2>, had returned before <3> began, and that had returned before the read began.',
    })
  })

  it('tells which write of a value came back', () => {
    const history: Coded[] = [
      [write, 1, 0, 0, 1],
      [write, 2, 0, 2, 3],
      [write, 3, 0, 4, 5],
      [write, 1, 0, 6, 30],
      [write, 2, 0, 7, 31],
      [read, 1, 0, 10, 12],
      [read, 2, 0, 11, 14],
      [read, 2, 0, 13, 17],
      [read, 1, 0, 15, 16],
    ]
    expect(decide(...history)).toMatchObject({
      type: 'value-came-back',
      told: 'the v1 of <3> was visible before and after the v2 of <4> was: <5> had returned before <7> began, and <6> had returned before <8> began; these reads can have seen no other writes of their values.',
    })
  })

  it('tells an initial value that was overwritten, written again and overwritten again', () => {
    expect(decide([write, 1, 0, 0, 1], [read, 0, 0, 2, 3])).toMatchObject({
      type: 'stale-value',
      core: [0, 1],
    })
    expect(
      decide(
        [write, 1, 0, 0, 1],
        [write, 0, 0, 2, 3],
        [read, 0, 0, 4, 5],
        [write, 1, 0, 6, 7],
        [read, 0, 0, 8, 9],
      ),
    ).toMatchObject({ type: 'stale-value', core: [1, 3, 4] })
  })

  it('knows nothing of reads with a choice that contradict nothing', () => {
    const history: Coded[] = [
      [write, 1, 0, 0, 3],
      [write, 1, 0, 1, 4],
      [read, 1, 0, 2, 5],
    ]
    expect(decide(...history)).toMatchObject({ valid: 'unknown', reason: expect.stringMatching(/^1 reads/) })
  })

  it('leaves histories with CAS to others, and refused CAS aside', () => {
    expect(decide([cas, 0, 1, 0, 1])).toMatchObject({ valid: 'unknown' })
    expect(decide([differs, 0, -1, 0, 1])).toMatchObject({ valid: 'unknown' })
    expect(decide([differs, 0, -1, 0, 1], [read, 3, 0, 2, 3])).toMatchObject({ type: 'value-never-written' })
  })
})
