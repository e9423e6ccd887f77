import { describe, expect, it } from 'vitest'
import { refutedBy } from '../../src/nemesis/refuted.js'
import { reading } from './reading.js'

/** The same thing read every second. */
const series = (before: number | string, values: readonly (number | string | null)[]) =>
  values.map((after, index) => reading({ before, after, at: index * 1e9 }))

describe('a reading that went back', () => {
  it.each([
    ['to its value from before', series(0, [2_000, 0])],
    ['nearly to it', series(0, [2_000, 1_990, 2, 1])],
    ['more than half of the way', series(-5, [-600, -100])],
    ['to the same word', series('running', ['paused', 'running'])],
  ])('refutes the fault: %s', (_title, evidence) => {
    expect(refutedBy(evidence)).toMatch(/somebody else took it back before its end: offset \(ms\) of n1 was/)
  })

  it('says when it was what', () => {
    expect(refutedBy(series(0, [2_000, 2]))).toBe(
      'somebody else took it back before its end: offset (ms) of n1 was 2000, then 2 again (0 before)',
    )
  })

  it.each([
    ['a counter that grows', series(0, [3, 9, 14_712])],
    ['a level that drifts a little', series(0, [2_000, 1_990, 1_700])],
    ['one that had not changed yet', series(0, [0, 0, 2_000])],
    ['one that could not be read later', series(0, [2_000, null])],
    ['another state than the one from before', series('running', ['paused', 'exited'])],
    ['another thing', [reading(), reading({ subject: 'n2', after: 0, at: 2e9 })]],
    ['two readings of one moment', [reading(), reading({ after: 0 })]],
  ])('is not %s', (_title, evidence) => {
    expect(refutedBy(evidence)).toBeNull()
  })
})

describe('what must stand still', () => {
  const still = (after: number) =>
    reading({ side: 'victim', signal: 'revision', before: 108, after, expected: 'still' })

  it('refutes the fault once it has moved, and only then', () => {
    expect(refutedBy([still(108), still(204)])).toMatch(/had to stand still and went from 108 to 204/)
    expect(refutedBy([still(108)])).toBeNull()
  })
})

it('a fault between a node and itself is none', () => {
  expect(refutedBy([reading({ subject: 'n1->n1' })])).toMatch(/between n1 and itself/)
  expect(refutedBy([reading({ subject: 'n1->n1' }), reading({ subject: 'n1->n2' })])).toBeNull()
})
