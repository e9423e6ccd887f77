import { describe, expect, it } from 'vitest'
import { casChains } from '../../../../../src/checkers/linearizability/exact/register/cas-chains.js'
import { zones } from '../../../../../src/checkers/linearizability/exact/register/zones.js'
import { registerKind } from '../../../../../src/checkers/linearizability/part.js'
import { codedPart, type Coded } from '../../parts.js'
import { compare, randomHistories, report, smallestShare } from './judge.js'
import type { Random, RegisterShape } from './random-register.js'

const { read, write, cas, differs } = registerKind
const words = { tell: (operation: number) => `<${operation}>`, value: (id: number) => `v${id}` }

function decide(...operations: readonly Coded[]) {
  const decision = casChains.decide(codedPart('register', operations))
  if (decision.valid !== false) return decision
  const { type, operations: core, explain } = decision.violation
  return { type, core, told: explain(words) }
}

const shapeOf = (random: Random): RegisterShape => ({
  operations: Math.floor(random() * 10),
  clients: 2 + Math.floor(random() * 3),
  unknown: random() < 0.1 ? 1 : random() < 0.5 ? 0.25 : 0,
  reads: 0.35,
  cas: 0.35,
  values: null,
  spoilt: 0.6,
  failed: random() < 0.5 ? 0.05 : 0,
})

describe('a register with CAS and distinct new values', { timeout: 3_600_000 }, () => {
  it('agrees with the definition on random small histories, and so do its violations', () => {
    const tally = compare(casChains.decide, { count: randomHistories(3_000), seed: 11, shapeOf })
    report('register-cas-chains', tally)
    const undecided = tally.undecidedValid + tally.undecidedInvalid
    expect(smallestShare(tally)).toBeGreaterThan(0.1)
    expect(undecided / (undecided + tally.valid + tally.invalid)).toBeLessThan(0.03)
    expect(Object.keys(tally.types)).toEqual(
      expect.arrayContaining([
        'stale-value',
        'value-from-the-future',
        'value-never-written',
        'cas-twice-from-one-value',
        'refused-without-reason',
      ]),
    )
  })

  it('decides as the zones do when there is no CAS', () => {
    const shape = (random: Random) => ({ ...shapeOf(random), cas: 0 })
    const tally = compare(
      (part) => {
        const decision = casChains.decide(part)
        expect(decision.valid).toBe(zones.decide(part).valid)
        return decision
      },
      { count: randomHistories(1_000), seed: 13, shapeOf: shape },
    )
    expect(tally.undecidedValid + tally.undecidedInvalid).toBe(0)
  })

  it('tells two CAS that found the same value', () => {
    expect(decide([cas, 0, 1, 0, 1], [cas, 0, 2, 2, 3])).toEqual({
      type: 'cas-twice-from-one-value',
      core: [0, 1],
      told: '<0> and <1> both took effect and found v0, which is there only at the start: after the first of them it never comes back.',
    })
  })

  it('tells a ring of CAS', () => {
    expect(decide([cas, 1, 2, 0, 2], [cas, 2, 1, 1, 3])).toMatchObject({ type: 'cas-ring', core: [0, 1] })
  })

  it('tells a value that was seen after a CAS had replaced it', () => {
    expect(decide([write, 1, 0, 0, 1], [cas, 1, 2, 2, 3], [read, 1, 0, 4, 5])).toEqual({
      type: 'stale-value',
      core: [0, 1, 2],
      told: '<2> saw v1, although <1> had returned before it began, and successful CAS operations lead from v1 to v2 for good.',
    })
  })

  it('takes a CAS of unknown outcome for effective once its value is seen', () => {
    const history: Coded[] = [
      [cas, 0, 1, 0, null],
      [read, 0, 0, 1, 2],
    ]
    expect(decide(...history)).toEqual({ valid: true })
    expect(decide(...history, [read, 1, 0, 3, 4])).toEqual({ valid: true })
    expect(decide(...history, [cas, 0, 2, 3, 4])).toEqual({ valid: true })
    expect(decide(...history, [read, 1, 0, 3, 4], [read, 0, 0, 5, 6])).toMatchObject({ type: 'stale-value' })
    expect(decide(...history, [cas, 0, 2, 3, 4], [read, 1, 0, 5, 6])).toMatchObject({
      type: 'cas-twice-from-one-value',
      core: [0, 2, 3],
    })
    expect(decide([cas, 7, 1, 0, null], [read, 1, 0, 1, 2])).toEqual({
      type: 'value-never-written',
      core: [0, 1],
      told: '<0> found v7, which no operation of this history wrote. It took effect, because <1> needs the value that it wrote.',
    })
  })

  it('tells a refusal for which there was no reason', () => {
    const held: Coded[] = [
      [write, 1, 0, 0, 1],
      [differs, 1, -1, 2, 3],
    ]
    expect(decide(...held, [write, 2, 0, 4, 5])).toEqual({
      type: 'refused-without-reason',
      core: [0, 1],
      told: '<1> was refused, but the register held v1 all the time: before it began, because <0> had returned, and nothing that was written until it returned can have come after that.',
    })
    expect(decide([write, 2, 0, -1, 6], ...held, [read, 1, 0, 4, 5])).toMatchObject({
      type: 'refused-without-reason',
      core: [1, 2, 3],
    })
    expect(decide([write, 2, 0, -1, null], ...held)).toEqual({ valid: true })
  })

  it('does not judge values that are written twice', () => {
    expect(decide([write, 1, 0, 0, 1], [cas, 0, 1, 2, 3])).toMatchObject({ valid: 'unknown' })
    expect(decide([cas, 0, 0, 0, 1])).toMatchObject({ valid: 'unknown' })
  })
})
