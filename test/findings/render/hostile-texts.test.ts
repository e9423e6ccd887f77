import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import type { RootContent } from 'mdast'
import { expect, it } from 'vitest'
import { renderFinding } from '../../../src/findings/render/finding.js'
import { renderReport } from '../../../src/findings/render/report.js'
import type { ReportContext } from '../../../src/findings/render/report/context.js'
import { violationContext } from '../../../src/findings/render/report/findings.js'
import { readMarkdown } from '../../../src/plan/markdown/read.js'
import { parsePlan } from '../../../src/plan/parse/parse.js'
import type { ScenarioRecord } from '../../../src/session/record.js'
import { faultWindow, runRecord, scenarioRecord, sessionInfo } from '../../session/records.js'
import { history, violated } from '../violated.js'

const plan = parsePlan(
  readFileSync(new URL('../../fixtures/plans/orders.md', import.meta.url), 'utf8'),
  'orders.md',
)

/** A failed scenario and an unsettled one with a text of its user in every place that takes one. */
function records(text: string): ScenarioRecord[] {
  const window = faultWindow({ target: text, mechanism: text, landed: false, cause: text })
  const [first] = window.evidence
  const [failed] = violated(null).runs
  const checks = (failed?.checks ?? []).map((check) => ({
    ...check,
    anomalies: [{ type: text, explanation: text, operations: [7, 9] }],
    scope: [text],
  }))
  return [
    violated(null, {
      claims: [{ id: 'C1', text, categories: ['safety'], source: text, inferred: false, anySize: false }],
      nemesis: [text],
      notes: [text],
      audits: [
        {
          name: 'load-produced',
          group: 'red-flag',
          number: 1,
          result: 'unmet',
          evidence: [text],
          blocks: 'PASS',
          downgrade: 'PARTIAL-surface',
          waiver: text,
        },
      ],
      runs: [
        runRecord({
          checks,
          faults: [
            { ...window, evidence: first === undefined ? [] : [{ ...first, subject: text, signal: text }] },
          ],
        }),
      ],
      classification: {
        blame: 'SUT',
        reason: text,
        experiments: [
          { name: text, question: text, outcome: text, points: 'SUT', clears: ['checker'], evidence: [text] },
        ],
        needsFault: true,
        type: 'ordering',
        tags: ['safety'],
        severity: 'P0',
        setByAuthor: [],
        suspectedCause: text,
        owner: text,
        nextAction: text,
      },
      regression: { of: text, lastFailedAt: null },
    }),
    scenarioRecord({
      id: 'S3',
      name: text,
      ruling: { verdict: 'INCONCLUSIVE-env', row: 2, reason: text },
      runs: [],
      missing: [{ what: text, hint: text }],
      budget: {
        smoke: { duration: '5s', nodes: 1, faults: 1, seeds: 1 },
        release: { notProvided: text, revisitWhen: text },
      },
    }),
  ]
}

function documents(text: string): string[] {
  const scenarios = records(text)
  const context: ReportContext = {
    sessionPath: 'test-sessions/orders/1',
    plan,
    counterexamples: new Map([[scenarios[0]?.name ?? '', history.map((one) => ({ ...one, error: text }))]]),
  }
  const session = { ...sessionInfo(), verdict: 'FAIL' as const, scenarios }
  return [
    renderReport(session, context),
    ...scenarios.map((record) => renderFinding(record, violationContext(record, context))),
  ]
}

/** The tree of a document without its texts: what a reader's program would make of it. */
function shapeOf(node: RootContent): string {
  if (!('children' in node)) return node.type === 'inlineCode' ? 'code' : node.type
  const children = (node.children as RootContent[]).map(shapeOf)
  // Neighbouring texts are one text.
  const merged = children.filter((child, index) => child !== 'text' || children[index - 1] !== 'text')
  return `${node.type}(${merged.join(' ')})`
}

const shapesOf = (text: string) =>
  documents(text).map((document) => readMarkdown(document).children.map(shapeOf))

const plain = shapesOf('plain')

it('a report of ordinary texts is whole', () => {
  const [report] = documents('plain')
  expect(report).toMatchSnapshot()
})

it('texts of users never change what a document is made of', () => {
  const piece = fc.constantFrom(
    '|',
    '\n',
    '\n\n',
    '`',
    '<b>',
    '<!--',
    '](x)',
    '[',
    '![',
    '**',
    '_',
    '# ',
    '- ',
    '1. ',
    '> ',
    '\\',
    '~~~',
    '```',
    '| - | - |',
    'https://example.com',
    '&amp;',
    '\u202E',
    'x',
  )
  const text = fc
    .array(fc.oneof(piece, fc.string()), { minLength: 1, maxLength: 8 })
    .map((all) => `x${all.join('')}x`)
  fc.assert(
    fc.property(text, (hostile) => {
      expect(shapesOf(hostile)).toEqual(plain)
    }),
    { numRuns: 25 },
  )
})
