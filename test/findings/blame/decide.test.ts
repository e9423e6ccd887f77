import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blameOf } from '../../../src/findings/blame/decide.js'
import { parties, type Experiment, type Party } from '../../../src/session/classification-record.js'

function experiment(points: Party | null, clears: readonly Party[] = []): Experiment {
  return {
    name: `points at ${points ?? 'nobody'}`,
    question: 'who?',
    outcome: 'this',
    points,
    clears: [...clears],
    evidence: [],
  }
}

describe('blameOf', () => {
  it.each<[string, Experiment[], string]>([
    ['nothing was tried', [], 'unknown'],
    [
      'a checker that is wrong explains everything',
      [experiment('environment'), experiment('checker')],
      'checker',
    ],
    ['also a harness that is wrong', [experiment('harness'), experiment('checker')], 'checker'],
    ['the harness goes before the machine', [experiment('environment'), experiment('harness')], 'harness'],
    [
      'the machine goes before the system',
      [experiment('SUT', ['harness']), experiment('environment')],
      'environment',
    ],
    [
      'the system when all others are cleared and the violation survived',
      [experiment('SUT', ['harness']), experiment(null, ['checker']), experiment(null, ['environment'])],
      'SUT',
    ],
    ['not the system while somebody is not cleared', [experiment('SUT', ['harness', 'checker'])], 'unknown'],
    [
      'not the system because nobody else is left',
      [experiment(null, ['harness', 'checker', 'environment'])],
      'unknown',
    ],
  ])('%s', (_, experiments, blame) => {
    expect(blameOf(experiments).blame).toBe(blame)
  })

  it('says what is pending', () => {
    expect(blameOf([experiment(null, ['checker'])]).reason).toBe(
      'pending a re-run with another generator or client (`blame: { generator, client }` of the scenario); a re-run on another host',
    )
  })

  it('never blames whom no experiment points at', () => {
    const any = fc.record({
      name: fc.constant('some'),
      question: fc.constant('who?'),
      outcome: fc.constant('this'),
      points: fc.option(fc.constantFrom(...parties)),
      clears: fc.subarray([...parties]),
      evidence: fc.constant<string[]>([]),
    })
    fc.assert(
      fc.property(fc.array(any), (experiments) => {
        const { blame } = blameOf(experiments)
        if (blame !== 'unknown') expect(experiments.map(({ points }) => points)).toContain(blame)
      }),
    )
  })
})
