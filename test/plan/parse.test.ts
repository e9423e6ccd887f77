import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePlan } from '../../src/plan/parse/parse.js'
import { sectionIds } from '../../src/plan/sections.js'

const source = readFileSync(new URL('../fixtures/plans/orders.md', import.meta.url), 'utf8')
const plan = parsePlan(source, 'orders.md')

/** The line of the document that holds a text, from 1. */
function lineOf(text: string): number {
  return source.split('\n').findIndex((line) => line.includes(text)) + 1
}

describe('parsePlan', () => {
  it('finds every section with its title and place', () => {
    expect([...plan.sections.keys()]).toEqual([...sectionIds])
    expect(plan.sections.get('7b')).toMatchObject({
      title: 'Coverage adequacy argument',
      at: { line: lineOf('## 7b.'), column: 1 },
    })
    expect(plan.sections.get('9')).toMatchObject({ text: 'None.', lines: 1 })
  })

  it('reads the header', () => {
    expect(plan.title?.text).toBe('Testing plan: orders')
    expect(plan.mode?.text).toBe('project-wide')
    expect(plan.change).toBeNull()
  })

  it('reads claims, hypotheses and what ties them together', () => {
    expect(plan.claims.map(({ id, categories }) => [id, categories.map(({ text }) => text)])).toEqual([
      ['C1', ['safety', 'durability']],
      ['C2', ['liveness']],
      ['C3', ['boundary']],
    ])
    expect(plan.claims[2]?.inferred?.text).toBe('yes')
    expect(plan.hypotheses.map(({ id }) => id)).toEqual(['H1', 'H2', 'H3', 'H4', 'H5', 'H6'])
    expect(plan.hypotheses[3]?.claims.map(({ id }) => id)).toEqual(['C1', 'C2'])
    expect(plan.coverage[0]).toMatchObject({
      claims: [{ id: 'C1' }],
      hypotheses: [{ id: 'H1' }],
      verdict: { text: 'partial' },
      scenarios: [{ id: 'S1' }],
    })
    expect(plan.adequacy.map(({ scenarios }) => scenarios.map(({ id }) => id))).toEqual([
      ['S1', 'S2'],
      ['S2'],
      ['S3'],
    ])
    expect(plan.environment[0]?.scenarios.map(({ id }) => id)).toEqual(['S1', 'S2', 'S3'])
    expect(plan.residual[0]?.revisitWhen?.text).toBe('the rig exists')
  })

  it('reads a scenario with its budgets, its block 7.M and its skeleton', () => {
    const [scenario] = plan.scenarios
    expect(scenario).toMatchObject({
      id: 'S1',
      name: 'linearizable_orders_under_asymmetric_partition',
      at: { line: lineOf('### S1:') },
      falsifies: [{ id: 'C1' }],
      closes: [{ id: 'H1' }, { id: 'H2' }, { id: 'H5' }],
      target: { text: 'test/orders.scenario.ts' },
      language: { text: 'typescript' },
      budgets: {
        smoke: { duration: '5s', nodes: 1, faults: 1, seeds: 1 },
        hardening: { duration: '30s', nodes: 3, faults: 3, seeds: 3 },
        release: { notProvided: 'there is no soak rig yet', revisitWhen: 'the nightly rig exists' },
        problems: [],
      },
      model: {
        model: { text: 'register' },
        checker: { text: 'linearizable, no-lost-ack' },
        nemesis: { text: expect.stringContaining('drop counter') },
      },
      arms: [],
      skeleton: { text: expect.stringContaining("id: 'S1'") },
    })
  })

  it('reads budgets that stand in one line', () => {
    expect(plan.scenarios[1]?.budgets).toEqual({
      ...plan.scenarios[0]?.budgets,
      at: { line: lineOf('**Budgets:** smoke'), column: 1 },
    })
  })

  it('reads the arms with their thirteen fields', () => {
    const arms = plan.scenarios[2]?.arms ?? []
    expect(arms.map(({ name }) => name)).toEqual(['api', 'export'])
    expect(Object.values(arms[1]?.fields ?? {}).map((cell) => cell?.text)).not.toContain(undefined)
    expect(arms[1]?.fields.negativeControls?.text).toBe("another's order is not in the file")
  })

  it('a digest tells an edit of its scenario, not of another, nor of white space', () => {
    const digests = (text: string) => parsePlan(text, 'orders.md').scenarios.map(({ digest }) => digest)
    const edited = digests(source.replace('8 clients', '9 clients'))
    expect(edited[0]).not.toBe(plan.scenarios[0]?.digest)
    expect(edited.slice(1)).toEqual(plan.scenarios.slice(1).map(({ digest }) => digest))
    expect(digests(source.replaceAll('\n', '  \n'))).toEqual(plan.scenarios.map(({ digest }) => digest))
  })

  it('takes other ways to write the same', () => {
    const { scenarios, hypotheses, sections } = parsePlan(
      [
        '# Plan',
        '## §4 Failure-mode hypotheses',
        '- H1 (C1, C2): the leader lies',
        '## §7 Scenarios',
        '### Scenario S9: keeps_it',
        'Some prose before.',
        '- Falsifies if it FAILs: C1 (every append, also those of S3), C5',
        '- Oracle: linearizable',
        '',
        '§7.M (model / history / checker discipline)',
        '- Model under test: log',
        '- Checker: linearizable',
      ].join('\n'),
      'plan.md',
    )
    expect(hypotheses).toMatchObject([
      { id: 'H1', text: 'the leader lies', claims: [{ id: 'C1' }, { id: 'C2' }] },
    ])
    expect(scenarios).toMatchObject([
      {
        id: 'S9',
        name: 'keeps_it',
        falsifies: [{ id: 'C1' }, { id: 'C5' }],
        oracle: { text: 'linearizable' },
        model: { model: { text: 'log' }, checker: { text: 'linearizable' } },
      },
    ])
    expect([...sections.keys()]).toEqual(['4', '7'])
  })

  it('never throws, whatever the document', () => {
    const fragment = fc.constantFrom(
      ...source.split('\n'),
      '## 7',
      '| a |',
      '```',
      '>',
      '- ',
      '### S1:',
      '| - |',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(fragment, fc.string()), { maxLength: 40 }), (lines) => {
        expect(parsePlan(lines.join('\n'), 'any.md').file).toBe('any.md')
      }),
      { numRuns: 500 },
    )
  })
})
