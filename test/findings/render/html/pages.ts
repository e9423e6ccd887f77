import { columnsOf } from '../../../../src/history/columns-builder.js'
import type { Operation } from '../../../../src/history/operation.js'
import { drawHistory } from '../../../../src/findings/render/html/history/drawn-history.js'
import { renderPage } from '../../../../src/findings/render/html/page.js'
import type { ScenarioRecord } from '../../../../src/session/record.js'
import { faultWindow, runRecord, scenarioRecord, sessionInfo } from '../../../session/records.js'
import { history, violated } from '../../violated.js'

/** A page of a failed scenario with a cycle, one that passed and one that was not settled. */
export function pageOf(records: readonly ScenarioRecord[], operations: readonly Operation[]): string {
  const session = { ...sessionInfo(), verdict: 'FAIL' as const, scenarios: [...records] }
  const core = new Set(['7', '9'])
  return renderPage(session, {
    sessionPath: 'test-sessions/orders/1',
    plan: null,
    counterexamples: new Map(
      records.map(({ name }) => [name, operations.filter(({ op_id: id }) => core.has(String(id)))]),
    ),
    drawings: new Map(
      records.flatMap(({ name, runs }) => {
        const faults = runs[0]?.faults ?? []
        return [
          [name, { history: drawHistory(columnsOf(operations), { faults, core, most: 1_500 }) }] as const,
        ]
      }),
    ),
  })
}

/** A page with a text of its user in every place that takes one. */
export function pageWith(text: string): string {
  const window = faultWindow({ fault: text, target: text, mechanism: text })
  const [first] = window.evidence
  const [check] = violated(null).runs[0]?.checks ?? []
  if (first === undefined || check === undefined) throw new Error('the samples have evidence and a check')
  const cycle = [
    { from: 7, to: 9, why: text },
    { from: 9, to: 7, why: text },
  ]
  const run = runRecord({
    system: text,
    faults: [
      { ...window, evidence: [{ ...first, subject: text, signal: text }] },
      faultWindow({ id: 'F2', fault: text, landed: false, cause: text, landed_ts: null }),
    ],
    checks: [
      {
        ...check,
        anomalies: [{ type: text, explanation: text, operations: [7, 9], cycle }],
        scope: [text],
      },
    ],
    notes: [text],
  })
  const operations = history.map((operation, index) => ({
    ...operation,
    process_id: `${text}${index}`,
    op_type: `x${text}`,
    key: text,
    input: [text, { [text]: text }],
    output: operation.complete_ts === null ? null : text,
    error: operation.complete_ts === null ? text : null,
    node_seen: text,
    fault_epoch: text,
  }))
  return pageOf(
    [
      violated(null, {
        claims: [{ id: 'C1', text, categories: ['safety'], source: text, inferred: false, anySize: false }],
        nemesis: [text],
        notes: [text],
        runs: [run],
      }),
      scenarioRecord({
        id: 'S3',
        name: text,
        ruling: { verdict: 'INCONCLUSIVE-env', row: 2, reason: text },
        runs: [],
        missing: [{ what: text, hint: text }],
      }),
    ],
    operations,
  )
}

/** Texts that try to become more than texts. */
export const hostileTexts = [
  '</script><script>window.pwned = 1</script>',
  '"><img src=x onerror="window.pwned = 1">',
  "' onfocus='window.pwned = 1' autofocus='",
  '</style><style>* { display: none }</style>',
  '</svg></title></details></table></main><h1>DONE</h1>',
  '<svg onload=window.pwned=1><use href="data:image/svg+xml,x#x"/></svg>',
  '<!--',
  ']]>',
  '<![CDATA[',
  '&lt;script&gt;',
  '[x](javascript:window.pwned=1)',
  'javascript:window.pwned=1',
  '\u2028\u2029window.pwned=1',
  '\u202Egnp.exe\u2066',
  '\u0000\u0007\u001B[31m',
  '\uD800',
  '${window.pwned=1}`',
  '<base href="https://example.com/"><meta http-equiv="refresh" content="0;url=https://example.com/">',
] as const
