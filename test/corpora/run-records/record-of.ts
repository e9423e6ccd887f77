import type { FaultWindow } from '../../../src/nemesis/evidence.js'
import { judgeLanding } from '../../../src/nemesis/exposure.js'
import { lookAt } from '../../../src/nemesis/landing.js'
import type { RunRecord, ScenarioRecord } from '../../../src/session/record.js'
import { catalog } from '../../../src/checkers/catalog.js'
import { tierMetBy } from '../../../src/verdict/tier.js'
import { hardenedRecord, hardenedRun } from '../../verdict/hardened.js'
import { evidenceOf } from './readings.js'
import type { Given } from './given.js'

/**
 * What a run record says, as the record of a scenario. What it is silent about is as in a session of which nothing bad
 * can be said, so that only what it says decides.
 */
export async function recordOf(given: Given): Promise<ScenarioRecord> {
  const window = await windowOf(given)
  const seeds = Array.from({ length: given.seeds ?? 1 }, (_, index) => 42 + index)
  const runs = seeds.map((seed) => runOf(given, seed, window))
  const record = hardenedRecord({
    ...judgedBy(given),
    budget: budgetOf(given, runs),
    tierAttempted: given.budgetMet ?? 'smoke',
    missing: Object.entries(given.capabilityProbe ?? {})
      .filter(([, said]) => /fail|missing|refused/.test(said))
      .map(([what, hint]) => ({ what, hint })),
    runs: given.attempted === false ? [] : runs,
  })
  return { ...record, tierMet: tierMetBy(record) }
}

function runOf(given: Given, seed: number, window: FaultWindow): RunRecord {
  const { oracle, setup } = given
  const base = hardenedRun({ seed, name: `seed-${seed}`, recording: recordingOf(given) })
  if (setup?.ok === false) {
    const error = {
      phase: 'start',
      kind: 'environment',
      message: setup.error ?? 'it did not start',
      hint: null,
    } as const
    return { ...base, load: null, faults: [], checks: [], error }
  }
  const [check] = base.checks
  return {
    ...base,
    faults: [window],
    recoveryMs: given.recovered === false ? null : base.recoveryMs,
    checks:
      oracle === null
        ? []
        : [
            {
              ...check!,
              checker: oracle.checker,
              valid: oracle.valid,
              reason: oracle.reason ?? null,
              // One that ended without an answer consumed nothing that counts.
              operations: oracle.valid === 'unknown' ? 0 : check!.operations,
            },
          ],
  }
}

/** By more than one clock, or by one that is told from others, is by wall clocks. */
function recordingOf({ history = [], oracle, recording }: Given): RunRecord['recording'] {
  const clocks = new Set(history.map(({ clock }) => clock)).size
  const wall = clocks > 1 || /^wall/i.test(oracle?.orderedBy ?? '') || /\bwall clock\b/i.test(recording ?? '')
  return { mechanism: 'in-process', clock: wall ? 'wall' : 'monotonic' }
}

function judgedBy({ oracle }: Given): Pick<ScenarioRecord, 'checkers' | 'claims' | 'serious'> {
  const base = hardenedRecord()
  if (oracle === null) return base
  const known = catalog.map(({ example }) => example()).find(({ name }) => name === oracle.checker)
  const serious = known?.pattern !== 4
  return {
    serious,
    claims: serious
      ? base.claims
      : base.claims.map((claim) => ({ ...claim, categories: ['performance-slo'] })),
    checkers: [
      {
        name: oracle.checker,
        // One that nobody here knows is an assertion of its author.
        pattern: known?.pattern ?? 2,
        scope: [...(known?.scope ?? [])],
        usesModel: known?.usesModel ?? false,
        misfit: null,
      },
    ],
  }
}

/** A tier that was met asks for just what ran; without a word about it only the smoke budget is. */
function budgetOf({ budgetMet }: Given, runs: readonly RunRecord[]): ScenarioRecord['budget'] {
  const smoke = { duration: '5s', nodes: 3, faults: 0, seeds: 1 } as const
  if (budgetMet !== 'hardening') return { smoke }
  return { smoke, hardening: { duration: '30s', nodes: 3, faults: runs.length, seeds: runs.length } }
}

/** The planned fault as the rules of landing see it. */
async function windowOf(given: Given): Promise<FaultWindow> {
  const base = hardenedRun().faults[0] as FaultWindow
  const { plan, injector } = given
  const named = { fault: plan?.fault ?? base.fault, target: JSON.stringify(plan ?? {}), mechanism: null }
  if (given.landed !== undefined) {
    return { ...base, ...named, landed: given.landed, cause: given.landed ? null : 'the record says so' }
  }
  const evidence = evidenceOf(given)
  const now = () => Math.max(0, ...evidence.map(({ at }) => at))
  const injection = {
    target: named.target,
    mechanism: '',
    affects: [],
    evidence: async () => evidence,
    objection: () => (injector?.ok === false ? `it could not be put in place: ${injector.error}` : null),
    heal: async () => [],
  }
  const { missing } = await lookAt(injection, [], now)
  return judgeLanding({
    ...base,
    ...named,
    landed: missing === null,
    landed_ts: missing === null ? base.landed_ts : null,
    cause: missing,
    evidence,
    exposure: exposureOf(given, base.exposure),
  })
}

/** Operations that were answered while nothing went through the fault have not met it. */
function exposureOf(
  { injector, victim = [] }: Given,
  usual: FaultWindow['exposure'],
): FaultWindow['exposure'] {
  const acked = victim.flatMap((reading) => ('acked' in reading ? [Number(reading['acked'])] : []))
  const bytes = injector?.proxyBytes ?? []
  if (acked.length < 2 || bytes.length < 2) return usual
  const answered = (acked.at(-1) ?? 0) - (acked[0] ?? 0)
  const through = (bytes.at(-1)?.total ?? 0) - (bytes[0]?.total ?? 0)
  const exposed = through > 0 ? answered : 0
  return { overlapping: answered, exposed, ok: exposed, failed: 0, unknown: 0 }
}
