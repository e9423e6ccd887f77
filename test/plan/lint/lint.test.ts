import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { lint, toFill } from '../../../src/plan/lint/lint.js'
import { rules } from '../../../src/plan/lint/rules.js'
import { parsePlan } from '../../../src/plan/parse/parse.js'
import { brokenPlans } from './broken-plans.js'
import { goodPlans } from './good-plans.js'

const source = readFileSync(new URL('../../fixtures/plans/orders.md', import.meta.url), 'utf8')

function findings(text: string) {
  const within = (path: string) => !path.startsWith('..')
  return lint(parsePlan(text, 'orders.md'), text, { within })
}

describe('lint', () => {
  it('has nothing to say about a complete plan', () => {
    expect(findings(source)).toEqual([])
  })

  it.each(brokenPlans)('$code: $how', ({ code, edit, besides }) => {
    const edited = edit(source)
    const found = findings(edited)
    const codes = new Set(found.map((finding) => finding.code))
    expect([...codes].toSorted(), JSON.stringify(found, null, 1)).toEqual([code, ...besides].toSorted())
    for (const { at, reason, fix } of found) {
      expect(at.line).toBeLessThanOrEqual(edited.split('\n').length)
      expect(reason).not.toBe('')
      expect(fix).not.toBe('')
    }
  })

  it('every rule has a plan that breaks it', () => {
    const covered = new Set(brokenPlans.map(({ code }) => code))
    const bare = findings('# Nothing\n').map(({ code }) => code)
    const uncovered = rules
      .map(({ code }) => code)
      .filter((code) => !covered.has(code) && !bare.includes(code))
    expect(uncovered).toEqual([])
    expect(covered).toContain(toFill)
  })

  it('an empty document lacks everything that can be asked of it', () => {
    const codes = new Set(findings('').map(({ code }) => code))
    expect([...codes].toSorted()).toEqual([
      'claims-missing',
      'mode-unknown',
      'scenarios-missing',
      'section-missing',
    ])
  })

  it.each(goodPlans)('has nothing to say about $how', ({ edit }) => {
    expect(findings(edit(source))).toEqual([])
  })

  it('does not judge what a place that is open suggests', () => {
    const open = findings(
      source.replace('- **Checker:** linearizable, no-lost-ack', '- **Checker:** FILL IN: such as set-full'),
    )
    expect(open.map(({ code }) => code)).toEqual([toFill])
  })

  it('refuses a plan whose oracles say that the logs look fine', () => {
    const refused = findings(source.replaceAll(/- \*\*Oracle:\*\* .*/g, '- **Oracle:** the logs look fine'))
    expect(refused.map(({ code }) => code)).toEqual([
      'oracle-not-checkable',
      'oracle-not-checkable',
      'oracle-not-checkable',
    ])
    expect(refused[0]).toMatchObject({
      reason: 'the oracle of S1 rests on "look fine"',
      at: { line: source.split('\n').findIndex((line) => line.includes('**Oracle:**')) + 1 },
    })
  })
})
