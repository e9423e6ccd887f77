import { describe, expect, it } from 'vitest'
import { evidenceLine } from '../../../plugin/vitest/evidence-line.js'
import type { CheckResult } from '../../../src/checkers/checker.js'
import type { FaultWindow } from '../../../src/nemesis/evidence.js'
import type { RunRecord, ScenarioRecord } from '../../../src/session/record.js'

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

const record = (...runs: Pick<RunRecord, 'faults' | 'checks'>[]) => ({ runs }) as unknown as ScenarioRecord

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

  it('is empty when nothing ran', () => {
    expect(evidenceLine(record())).toBe('')
  })
})
