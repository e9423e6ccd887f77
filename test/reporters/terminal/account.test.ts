import { describe, expect, it } from 'vitest'
import type { ScenarioMeta } from '../../../plugin/vitest/meta.js'
import { accountFor, type TestFacts } from '../../../reporters/terminal/account.js'
import { blankRecord } from '../../../src/session/blank-record.js'

const declared = blankRecord({
  id: 'S1',
  name: 'keeps_writes',
  location: 'a.scenario.ts:3',
  claims: [
    {
      id: 'C1',
      text: 'writes are kept',
      categories: ['durability'],
      source: null,
      inferred: false,
      anySize: false,
    },
  ],
  serious: true,
  system: 'store',
  tierAttempted: 'smoke',
  ruling: { verdict: 'NOT-RUN', row: 1, reason: 'it was declared and did not run' },
})
const meta: ScenarioMeta = { id: 'S1', claims: ['C1'], mode: 'run', declared, result: null }
const facts: TestFacts = {
  name: 'keeps_writes',
  meta,
  state: 'skipped',
  note: undefined,
  error: undefined,
  started: false,
  selected: true,
}

describe('accountFor', () => {
  it('takes the result of a scenario that has ended', () => {
    const result = { verdict: 'PASS-smoke', reason: 'r', evidence: 'e', session: '/s' } as const
    const account = accountFor({ ...facts, state: 'passed', meta: { ...meta, result } }, null)
    expect(account).toMatchObject({ verdict: 'PASS-smoke', evidence: 'e', claims: ['C1'], record: null })
  })

  it('takes the record of one that was cut off after it was written', () => {
    const ruling = { verdict: 'INCONCLUSIVE-env', row: 2, reason: 'cancelled' } as const
    const account = accountFor({ ...facts, note: 'aborted', started: true }, { ...declared, ruling })
    expect(account).toMatchObject({ verdict: 'INCONCLUSIVE-env', reason: 'cancelled', record: null })
  })

  it.each<[string, Partial<TestFacts>, string, string, boolean]>([
    ['one that a filter left out', {}, 'NOT-RUN', 'a filter', true],
    ['.skip', { meta: { ...meta, mode: 'skip' } }, 'NOT-RUN', '.skip', false],
    [
      '.skip beside a filter',
      { meta: { ...meta, mode: 'skip' }, selected: false },
      'NOT-RUN',
      'a filter',
      true,
    ],
    ['.todo', { meta: { ...meta, mode: 'todo' } }, 'NOT-RUN', '.todo', false],
    [
      'a run cancelled before its turn',
      { note: 'aborted by the user' },
      'NOT-RUN',
      'aborted by the user',
      false,
    ],
    [
      'one cut off in the middle',
      { note: 'aborted', started: true },
      'INCONCLUSIVE-env',
      'interrupted',
      false,
    ],
    ['one whose worker died', { state: 'pending', started: true }, 'INCONCLUSIVE-env', 'worker ended', false],
    ['those behind it', { state: 'pending' }, 'NOT-RUN', 'before its turn', false],
    ['a failing hook', { state: 'failed', error: 'no port' }, 'INCONCLUSIVE-env', 'no port', false],
  ])('accounts for %s', (_, changes, verdict, reason, leftOut) => {
    const account = accountFor({ ...facts, ...changes }, null)
    expect(account).toMatchObject({ verdict, leftOut })
    expect(account.reason).toContain(reason)
    expect(account.record?.ruling).toMatchObject({ verdict, reason: account.reason })
  })
})
