import { expect, it } from 'vitest'
import { renderMarkdown } from '../../../src/findings/render/markdown.js'
import { reductionBlocks } from '../../../src/findings/render/reduction.js'
import { proofOf } from '../../../src/findings/violation.js'
import { reductionSchema, type Reduction } from '../../../src/session/reduction-record.js'
import { violated } from '../violated.js'

const reduction: Reduction = {
  history: {
    operations: { from: 100_000, to: 1 },
    kept: ['9'],
    beginning: { init: { from: 5190, records: [] }, state: '5190 entries', shownBy: '8' },
    explanation: 'The state was 5190 entries.',
    minimal: true,
    ms: 310,
  },
  rerun: null,
  reproducer: null,
  snippet: null,
}

it('is told by the state that it begins with, and how to check from there', () => {
  expect(renderMarkdown(reductionBlocks(reduction)).trim()).toBe(
    '**Smallest sub-history:** 100,000 -> 1 operation, from the state after operation `8` on ' +
      '(`init: {"from":5190,"records":[]}`), none of which can be left out; 310 ms, nothing was run again.',
  )
})

it('is shown with the operation that shows the state, and with what the checker named when that is little', () => {
  expect(proofOf(violated('history.ndjson', { reduction }))).toEqual({
    explanation: 'read 3 by process 2, after 4 | 5 was acknowledged The state was 5190 entries.',
    operations: ['8', '9', '7'],
  })
})

it('is read from a record that knows no beginnings', () => {
  const { beginning: _, ...history } = reduction.history!
  expect(reductionSchema.parse({ ...reduction, history }).history?.beginning).toBeUndefined()
})
