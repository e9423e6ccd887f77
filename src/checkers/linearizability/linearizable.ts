import type { Anomaly, Checker, CheckInput, CheckResult } from '../checker.js'
import type { Model } from '../../models/model.js'
import { startPacer, type Pacer } from '../pacer.js'
import { misfitOf } from '../picker.js'
import type { Call } from './call.js'
import { anomalyType, explain } from './explain.js'
import { minimise } from './minimise.js'
import { firstBreak } from './prefix.js'
import { prepare, type Prepared } from './prepare.js'
import { settle, type Settling } from './settle.js'
import { solve, type Solved } from './solve.js'

const name = 'linearizable'

/** Time to make a violation small and tell it, within what is left of the time limit. */
const mostExplainingMs = 10_000
/** That much is taken even when the verdict came at the last moment. */
const leastExplainingMs = 1_000

const scope = [
  'violations that the recorded operations did not meet: it judges this history, not the system',
  'anomalies across keys when the model judges each key by itself',
  'operations of types that the model does not know',
]

/**
 * Linearizability (Herlihy and Wing, 1990): is there an order of the operations, in which each takes effect at one
 * moment between its invocation and its return, that the model allows?
 *
 * Operations of unknown outcome may take effect at any time after their invocation, or never. The answer is exact in
 * both directions; `unknown` when time runs out first. An invalid history comes with a small part of it that is
 * invalid by itself, and with the operation at which it breaks.
 */
export function linearizable(): Checker {
  return {
    name,
    pattern: 1,
    usesModel: true,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'timeout_marker'],
    scope,
    misfit: (model, categories) => misfitOf(name, { model, categories }),
    check,
  }
}

async function check(input: CheckInput): Promise<CheckResult> {
  const { model, operations } = input
  const pacer = startPacer(input)
  const base = { checker: name, model: model?.name ?? null, anomalies: [], scope: [...scope] }
  if (model === null) {
    const reason = 'no model was given; say what the object is, such as register()'
    return {
      ...base,
      valid: 'unknown',
      reason,
      operations: 0,
      coverage: 'all',
      evidence: {},
      ms: pacer.elapsedMs,
    }
  }
  const prepared = prepare(operations, model)
  const solved = await solve(prepared.partitions, model, pacer)
  const anomalies = await anomaliesOf(solved, { input, model, pacer })
  const { valid, reason } = verdictOf({ prepared, solved, model })
  return {
    ...base,
    valid,
    reason,
    operations: prepared.consumed,
    coverage: prepared.foreignTypes.length === 0 ? 'all' : 'subset',
    evidence: {
      operations: prepared.consumed,
      judged: prepared.partitions.reduce((sum, { calls }) => sum + calls.length, 0),
      partitions: prepared.partitions.length,
      decided: solved.searches.filter(({ outcome }) => outcome !== 'open').length,
      configurations: solved.explored,
    },
    anomalies,
    ms: pacer.elapsedMs,
  }
}

function verdictOf({
  prepared,
  solved,
  model,
}: {
  prepared: Prepared
  solved: Solved
  model: Model
}): Pick<CheckResult, 'valid' | 'reason'> {
  if (solved.searches.some(({ outcome }) => outcome === 'not-linearizable'))
    return { valid: false, reason: null }
  // A history without any operation is linearizable by definition; that nothing was judged shows in the counts.
  if (prepared.consumed === 0 && prepared.foreignTypes.length > 0) {
    const found = prepared.foreignTypes.join(', ')
    return {
      valid: 'unknown',
      reason: `nothing to judge: the model ${model.name} knows ${model.operations.join(', ')}, and the history has only ${found}`,
    }
  }
  if (solved.spent === null) return { valid: true, reason: null }
  const decided = solved.searches.filter(({ outcome }) => outcome !== 'open').length
  return {
    valid: 'unknown',
    reason:
      `${solved.spent} after ${solved.explored} configurations, with ${decided} of ${prepared.partitions.length} ` +
      `partitions decided; fewer concurrent clients, more keys or distinct written values would help`,
  }
}

async function anomaliesOf(
  solved: Solved,
  { input, model, pacer }: { input: CheckInput; model: Model; pacer: Pacer },
): Promise<Anomaly[]> {
  const leftMs = Math.max(leastExplainingMs, Math.min(mostExplainingMs, input.timeoutMs - pacer.elapsedMs))
  const explaining = startPacer({ timeoutMs: leftMs, signal: input.signal })
  const anomalies: Anomaly[] = []
  for (const { partition, search, outcome } of solved.searches) {
    const stuckAt = search.stuckAt
    if (outcome !== 'not-linearizable' || stuckAt === null) continue
    const settling = { key: partition.key, model, pacer: explaining }
    const brokenAt = await firstBreak(partition.calls, stuckAt, settling)
    const core = await minimise(partition.calls, brokenAt, settling)
    const violation = {
      partition,
      brokenAt,
      core: (core && (await asRecorded(core, partition.calls, settling))) ?? partition.calls,
      possibleStates: brokenAt === stuckAt ? search.statesWhenStuck : [],
    }
    anomalies.push({
      type: anomalyType(violation, model),
      explanation: explain(violation, { model, operations: input.operations }),
      operations: violation.core.map((call) => call.operation.op_id),
    })
  }
  return anomalies
}

/**
 * The core with its calls as they were recorded, not as known at the break, after a last check that they are a
 * violation by themselves; null when that check fails.
 */
async function asRecorded(
  core: readonly Call[],
  calls: readonly Call[],
  settling: Settling,
): Promise<readonly Call[] | null> {
  const ids = new Set(core.map((call) => call.operation.op_id))
  const recorded = calls.filter((call) => ids.has(call.operation.op_id))
  return (await settle(recorded, settling)) === 'not-linearizable' ? recorded : null
}
