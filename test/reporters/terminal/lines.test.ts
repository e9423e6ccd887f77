import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { aggregateLine, scenarioLine, sessionLines } from '../../../reporters/terminal/lines.js'

const account = {
  name: 'reads_are_linearizable',
  claims: ['C1', 'C2'],
  verdict: 'FAIL-reproducible',
  reason: 'a stale read',
  evidence: 'partition landed',
  expected: false,
  leftOut: false,
  record: null,
} as const

const plain = (text: string) => stripVTControlCharacters(text)

test('a scenario is one line: verdict, name, claims, reason, evidence', () => {
  expect(plain(scenarioLine(account))).toBe(
    'nemesis  FAIL-reproducible  reads_are_linearizable  C1, C2  a stale read; partition landed',
  )
  expect(plain(scenarioLine({ ...account, verdict: 'PASS-smoke' }))).toBe(
    'nemesis  PASS-smoke  reads_are_linearizable  C1, C2  partition landed',
  )
})

test('what is inconclusive says why, once', () => {
  const line = plain(scenarioLine({ ...account, verdict: 'INCONCLUSIVE-fault-not-proven' }))
  expect(line).toMatch(/a stale read$/)
})

test('a long reason is cut, and never breaks the line', () => {
  const line = plain(scenarioLine({ ...account, reason: `first\n${'x'.repeat(500)}` }))
  expect(line).not.toContain('\n')
  expect(line).toContain('first / xxx')
  expect(line).toContain('…; partition landed')
  expect(line.length).toBeLessThan(420)
})

test('a scenario with arms has a line of its own, which names the arms', () => {
  const reason = 'An arm failed: api PASS-smoke, export FAIL-reproducible.'
  const whole = {
    id: 'S5',
    name: 'tenants_are_apart',
    verdict: 'FAIL-reproducible',
    reason,
    arms: [],
  } as const
  expect(plain(aggregateLine(whole))).toBe(
    `nemesis  FAIL-reproducible  tenants_are_apart  S5, all arms: ${reason}`,
  )
})

test('the session ends with its verdict, the counts and the report', () => {
  const verdicts = ['PASS-smoke', 'PASS-smoke', 'NOT-RUN'] as const
  const lines = sessionLines({ verdict: 'DONE_WITH_CONCERNS', verdicts, reports: ['a/report.md'] })
  expect(lines.map(plain)).toEqual([
    'nemesis  session DONE_WITH_CONCERNS  2 PASS-smoke, 1 NOT-RUN',
    '         report  a/report.md',
  ])
})
