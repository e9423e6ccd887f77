import { expect, it } from 'vitest'
import { sessionVerdict, type SessionVerdict } from '../../src/verdict/session.js'
import { verdicts, type Verdict } from '../../src/verdict/verdict.js'

it.each<[Verdict[], SessionVerdict]>([
  [['PASS-hardening', 'PASS-smoke'], 'DONE'],
  [['PASS-hardening', 'FAIL-nondeterministic', 'NOT-RUN'], 'FAIL'],
  [['FAIL-reproducible'], 'FAIL'],
  [['PASS-smoke', 'NOT-RUN'], 'DONE_WITH_CONCERNS'],
  [['PASS-smoke', 'INCONCLUSIVE-env'], 'DONE_WITH_CONCERNS'],
  [['PASS-hardening', 'PARTIAL-model'], 'DONE_WITH_CONCERNS'],
  [['PARTIAL-surface'], 'INCONCLUSIVE'],
  [['INCONCLUSIVE-fault-not-proven', 'NOT-RUN'], 'INCONCLUSIVE'],
  [['INCONCLUSIVE-env', 'NOT-RUN'], 'BLOCKED'],
  [['NOT-RUN'], 'BLOCKED'],
  [[], 'BLOCKED'],
])('%j makes the session %s', (given, expected) => {
  expect(sessionVerdict(given)).toBe(expected)
})

it('only a pass alone makes a session done', () => {
  const done = verdicts.filter((verdict) => sessionVerdict([verdict]) === 'DONE')
  expect(done).toEqual(['PASS-smoke', 'PASS-hardening'])
})
