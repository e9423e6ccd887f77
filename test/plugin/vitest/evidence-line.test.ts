import { describe, expect, it } from 'vitest'
import { evidenceLine } from '../../../plugin/vitest/evidence-line.js'
import type { CheckResult } from '../../../src/checkers/checker.js'
import type { FaultWindow } from '../../../src/nemesis/evidence.js'
import type { RunRecord, ScenarioRecord } from '../../../src/session/record.js'
import type { Audit } from '../../../src/verdict/audits/audit.js'
import type { Verdict } from '../../../src/verdict/verdict.js'

const window: FaultWindow = {
  id: 'F1',
  fault: 'partition',
  target: 'n1 | n2, n3',
  mechanism: 'TCP proxy',
  injected_ts: 1,
  landed_ts: 2,
  healed_ts: 3,
  landed: true,
  cause: null,
  evidence: [
    { side: 'injector', subject: 'n1->n2', signal: 'answers', before: 'yes', after: 'yes', at: 2 },
    { side: 'injector', subject: 'n1->n2', signal: 'dropped chunks', before: 0, after: 412, at: 2 },
  ],
  healed: [],
  exposure: { overlapping: 40, exposed: 37, ok: 0, failed: 0, unknown: 37 },
}

function check(valid: boolean): CheckResult {
  return {
    checker: 'linearizable',
    model: 'register',
    valid,
    reason: null,
    operations: 812,
    coverage: 'all',
    evidence: {},
    anomalies: [],
    scope: [],
    ms: 1,
  }
}

const record = (...runs: Pick<RunRecord, 'faults' | 'checks'>[]) =>
  ({ runs, audits: [], ruling: { verdict: 'PASS-smoke' } }) as unknown as ScenarioRecord

/** A pass of a run of which nothing else is told. */
function audited(verdict: Verdict, ...audits: Pick<Audit, 'name' | 'result' | 'waiver'>[]): string {
  const passed = record({ faults: [], checks: [check(true)] })
  return evidenceLine({ ...passed, audits: audits as Audit[], ruling: { ...passed.ruling, verdict } })
}

describe('evidenceLine', () => {
  it('cites the reading that changed, the exposure, and what the oracle consumed', () => {
    expect(evidenceLine(record({ faults: [window], checks: [check(true)] }))).toBe(
      'partition n1 | n2, n3 landed (dropped chunks 0 -> 412, 37 operations met it); linearizable judged 812 operations',
    )
  })

  it('tells why a fault is not proven', () => {
    const unproven = { ...window, landed: false, cause: 'no operation met it' }
    expect(evidenceLine(record({ faults: [unproven], checks: [] }))).toBe(
      'partition n1 | n2, n3 not proven: no operation met it',
    )
  })

  it('speaks of the run that shows the violation, and says how many there were', () => {
    const line = evidenceLine(
      record({ faults: [], checks: [check(true)] }, { faults: [window], checks: [check(false)] }),
    )
    expect(line).toContain('partition')
    expect(line).toContain('2 runs')
  })

  it('names what a pass was let do without, and nothing that was met, does not apply or keeps it from a pass', () => {
    const unread = { name: 'no-swallowed-errors', result: 'unmet', waiver: 'it keeps its logs' } as const
    const alone = { name: 'not-one-seed', result: 'unmet', waiver: 'it is slow' } as const
    const needless = { name: 'replicated', result: 'met', waiver: 'to be sure' } as const
    const other = { name: 'not-one-topology', result: 'not-applicable', waiver: 'to be sure' } as const
    const open = { name: 'not-short-runs-only', result: 'unmet', waiver: null } as const
    expect(audited('PASS-hardening', unread, needless, other, open)).toBe(
      'linearizable judged 812 operations; 1 check waived: no-swallowed-errors',
    )
    expect(audited('PASS-smoke', unread, alone)).toMatch(
      /; 2 checks waived: no-swallowed-errors, not-one-seed$/,
    )
    expect(audited('PASS-hardening', needless, other)).toBe('linearizable judged 812 operations')
    expect(audited('FAIL-reproducible', unread)).toBe('linearizable judged 812 operations')
  })

  it('is empty when nothing ran', () => {
    expect(evidenceLine(record())).toBe('')
  })
})
