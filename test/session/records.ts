import type { FaultWindow } from '../../src/nemesis/evidence.js'
import { blankRecord } from '../../src/session/blank-record.js'
import {
  schemaVersion,
  type RunRecord,
  type ScenarioRecord,
  type SessionInfo,
} from '../../src/session/record.js'

/** A fault window that landed between 1 s and 3 s. */
export function faultWindow(changes: Partial<FaultWindow> = {}): FaultWindow {
  return {
    id: 'F1',
    fault: 'partition',
    target: 'n1 | n2, n3',
    mechanism: 'TCP proxy',
    injected_ts: 1_000_000_000,
    landed_ts: 1_020_000_000,
    healed_ts: 3_000_000_000,
    landed: true,
    cause: null,
    evidence: [
      {
        side: 'injector',
        subject: 'n1->n2',
        signal: 'dropped chunks',
        before: 0,
        after: 14_712,
        at: 2_900_000_000,
      },
      {
        side: 'victim',
        subject: 'n1',
        signal: 'unanswered operations',
        before: 0,
        after: 31,
        at: 2_900_000_000,
      },
    ],
    healed: [
      { side: 'injector', subject: 'n1->n2', signal: 'rules', before: 1, after: 0, at: 3_000_000_000 },
    ],
    exposure: { overlapping: 120, exposed: 40, ok: 5, failed: 4, unknown: 31 },
    ...changes,
  }
}

export function runRecord(changes: Partial<RunRecord> = {}): RunRecord {
  return {
    name: 'seed-42',
    purpose: 'seed',
    seed: 42,
    startedAt: '2026-03-01T12:30:05.000Z',
    durationMs: 5_000,
    system: 'quorum',
    nodes: ['n1', 'n2', 'n3'],
    systemKind: 'processes',
    offers: { lifecycle: 'signals', network: 'TCP proxy' },
    recording: { mechanism: 'in-process', clock: 'monotonic' },
    history: null,
    logs: ['logs/linearizable_register_under_partition/seed-42/n1.log'],
    load: {
      loop: 'closed',
      intendedRate: null,
      invoked: 940,
      ok: 900,
      failed: 9,
      unknown: 31,
      rate: 188,
      slices: [],
      latency: { p50: 1.2, p90: 3, p99: 9, max: 20.5 },
    },
    faults: [faultWindow()],
    schedule: [
      {
        declared: 'partition isolate=n1 at 1s for 2s',
        faults: [
          {
            fault: 'partition isolate=n1',
            afterMs: 1_000,
            forMs: 2_000,
            id: 'F1',
            skipped: null,
            drawn: [],
            recoveredMs: null,
          },
        ],
      },
    ],
    recoveryMs: 120,
    nominal: null,
    logScan: null,
    host: null,
    controls: [],
    checks: [
      {
        checker: 'linearizable',
        model: 'register',
        valid: true,
        reason: null,
        operations: 940,
        coverage: 'all',
        evidence: { keys: 4, 'states explored': 2_310 },
        anomalies: [],
        scope: ['anomalies across keys'],
        ms: 61.2,
      },
    ],
    sensitivity: [],
    properties: [],
    weak: [],
    notes: [],
    error: null,
    ...changes,
  }
}

export function scenarioRecord(changes: Partial<ScenarioRecord> = {}): ScenarioRecord {
  return blankRecord({
    id: 'S1',
    name: 'linearizable_register_under_partition',
    location: 'test/quorum.scenario.ts:12',
    claims: [
      {
        id: 'C1',
        text: 'Reads are linearizable per key',
        categories: ['safety'],
        source: 'docs/claims.md',
        inferred: false,
        anySize: false,
      },
    ],
    serious: true,
    system: 'quorum',
    model: 'register',
    checkers: [
      { name: 'linearizable', pattern: 1, scope: ['anomalies across keys'], usesModel: true, misfit: null },
    ],
    nemesis: ['partition {"isolate":"n1"} at 1s for 2s'],
    budget: { smoke: { duration: '5s', nodes: 3, faults: 1, seeds: 1 } },
    tierAttempted: 'smoke',
    tierMet: 'smoke',
    ruling: { verdict: 'PASS-smoke', row: 8, reason: 'No violation was observed under partition.' },
    runs: [runRecord()],
    across: [],
    sometimes: [],
    missing: [],
    notes: [],
    finishedAt: '2026-03-01T12:30:20.000Z',
    ...changes,
  })
}

export function sessionInfo(changes: Partial<SessionInfo> = {}): SessionInfo {
  return {
    schema: schemaVersion,
    slug: 'quorum',
    startedAt: '2026-03-01T12:30:00.000Z',
    finishedAt: '2026-03-01T12:30:21.000Z',
    plan: null,
    drift: [],
    commit: { id: '0123456789abcdef0123456789abcdef01234567', clean: true },
    gate: 'default',
    tier: 'smoke',
    tool: {
      name: 'vitest-nemesis',
      version: '0.1.0',
      node: 'v20.20.2',
      vitest: '4.1.12',
      platform: 'linux x64',
    },
    ...changes,
  }
}
