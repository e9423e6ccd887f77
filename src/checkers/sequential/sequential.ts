import { columnsOf } from '../../history/columns-builder.js'
import type { Columns } from '../../history/columns.js'
import type { Model } from '../../models/model.js'
import type { Anomaly, Checker, CheckInput, CheckResult } from '../checker.js'
import { bytesForTables } from '../linearizability/budget.js'
import { decide as decideExactly } from '../linearizability/choose.js'
import { partsOf } from '../linearizability/encode.js'
import type { Part } from '../linearizability/part.js'
import { callsOfGroup, callsOfPart } from '../linearizability/search/model-calls.js'
import { modelProblem } from '../linearizability/search/model-problem.js'
import { registerProblem } from '../linearizability/search/register-problem.js'
import { searchInTurns } from '../linearizability/search/search-in-turns.js'
import { startPacer, type Pacer } from '../pacer.js'
import { misfitOf } from '../picker.js'
import { callsOf, type Call } from './calls.js'
import { decide, type Decided } from './decide.js'
import { explain } from './explain.js'
import { minimise } from './minimise.js'

const name = 'sequential'

/** Share of the time for the stronger question, whether the history is linearizable. */
const linearizableShare = 0.25
/** Time to make a violation small. */
const explainingMs = 5_000

const scope = [
  'reads that are merely late: a stale read that fits some order of the sessions is allowed',
  'violations that the recorded operations did not meet: it judges this history, not the system',
  'operations of types that the model does not know',
]

export interface SequentialOptions {
  /** False when what one process did need not take effect in its order. Default true. */
  readonly sessionOrder?: boolean
}

/**
 * Sequential consistency (Lamport, 1979): is there one order of all operations, over all keys together, that keeps the
 * order of each process and that the model allows? When anything happened does not matter.
 *
 * A linearizable history is also sequentially consistent, so that is tried first. Otherwise, where every value is
 * written once, what must come before what is inferred until nothing more follows; a cycle refutes it. What that leaves
 * open is searched, and may remain `unknown`.
 */
export function sequential({ sessionOrder = true }: SequentialOptions = {}): Checker {
  return {
    name,
    pattern: 1,
    usesModel: true,
    options: { sessionOrder },
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'process_id', 'timeout_marker'],
    scope,
    misfit: (model, categories) => misfitOf(name, { model, categories }),
    check: (input) => check(input, sessionOrder),
  }
}

async function check(input: CheckInput, sessionOrder: boolean): Promise<CheckResult> {
  const { model } = input
  const pacer = startPacer(input)
  const base = { checker: name, model: model?.name ?? null, anomalies: [], scope: [...scope] }
  if (model === null) {
    const reason = 'no model was given; say what the object is, such as register()'
    const nothing = { operations: 0, coverage: 'all' as const, evidence: {}, ms: pacer.elapsedMs }
    return { ...base, valid: 'unknown', reason, ...nothing }
  }
  const columns = input.columns ?? columnsOf(input.operations)
  const operations = Array.from({ length: columns.count }, (_, index) => columns.operationAt(index))
  const { calls, consumed, foreignTypes } = callsOf(operations, model)
  const options = { model, sessionOrder, pacer, memoryBytes: bytesForTables(input.memoryMb) }
  const onExplored = tellerOf(input)
  const known =
    processesTakeTurns(calls) && (await isLinearizable({ columns, model }, { ...input, onExplored }))
  const decided: Decided = known
    ? { outcome: 'ordered', cycle: null, phantom: null, explored: 0 }
    : await decide(calls, { ...options, onExplored })
  const anomalies =
    decided.outcome === 'no-order' ? [await anomalyOf(calls, { decided, input, options })] : []
  const isNothing = consumed === 0 && foreignTypes.length > 0
  const valid = isNothing || decided.outcome === 'open' ? 'unknown' : decided.outcome === 'ordered'
  return {
    ...base,
    valid,
    reason: valid === 'unknown' ? reasonFor({ isNothing, pacer, decided, model, foreignTypes }) : null,
    operations: consumed,
    coverage: foreignTypes.length === 0 ? 'all' : 'subset',
    evidence: { operations: consumed, judged: calls.length, configurations: decided.explored },
    anomalies,
    ms: pacer.elapsedMs,
  }
}

/** Tells what was explored, never less than before: all keys together are one partition, decided at the end. */
function tellerOf({ onProgress }: CheckInput): (configurations: number) => void {
  let most = 0
  return (explored) => {
    most = Math.max(most, explored)
    onProgress?.({ decided: 0, partitions: 1, configurations: most })
  }
}

/** True when the history is found to be linearizable, which says the same of every weaker property. */
async function isLinearizable(
  { columns, model }: { columns: Columns; model: Model },
  {
    timeoutMs,
    signal,
    memoryMb,
    onExplored,
  }: CheckInput & { readonly onExplored: (configurations: number) => void },
): Promise<boolean> {
  const { parts, inexpressible } = partsOf(columns, model)
  const undecided: Part[] = []
  for (const part of parts) {
    const { decision } = decideExactly(part)
    if (decision.valid === false) return false
    if (decision.valid === 'unknown') undecided.push(part)
  }
  const source = { columns, model }
  const problems = [
    ...undecided.map((part) => () => registerProblem(part) ?? modelProblem(callsOfPart(part, source), model)),
    ...inexpressible.map((group) => () => modelProblem(callsOfGroup(group, source), model)),
  ]
  const pacer = startPacer({ timeoutMs: timeoutMs * linearizableShare, signal })
  const { searched } = await searchInTurns(problems, {
    pacer,
    memoryBytes: bytesForTables(memoryMb),
    onTurn: (_, explored) => onExplored(explored),
  })
  return searched.every(({ outcome }) => outcome === 'linearizable')
}

/** Whether every operation of a process began after its last one ended: only then does real time keep its order. */
function processesTakeTurns(calls: readonly Call[]): boolean {
  const ends = new Map<string | number, number>()
  for (const { operation, isCertain } of calls) {
    const end = ends.get(operation.process_id)
    if (end !== undefined && operation.invoke_ts <= end) return false
    if (isCertain) ends.set(operation.process_id, operation.complete_ts ?? Infinity)
  }
  return true
}

async function anomalyOf(
  calls: readonly Call[],
  {
    decided,
    input,
    options,
  }: {
    decided: Decided
    input: CheckInput
    options: Parameters<typeof minimise>[1]
  },
): Promise<Anomaly> {
  const pacer = startPacer({ timeoutMs: explainingMs, signal: input.signal })
  const explaining = { ...options, pacer }
  const core = decided.phantom ? [decided.phantom] : await minimise(calls, explaining)
  const again = decided.phantom ? decided : await decide(core, explaining)
  return explain(core, { decided: again, model: options.model })
}

function reasonFor({
  isNothing,
  pacer,
  decided,
  model,
  foreignTypes,
}: {
  isNothing: boolean
  pacer: Pacer
  decided: Decided
  model: Model
  foreignTypes: readonly string[]
}): string {
  if (isNothing) {
    return `nothing to judge: the model ${model.name} knows ${model.operations.join(', ')}, and the history has only ${foreignTypes.join(', ')}`
  }
  const spent = pacer.spent ?? 'the memory for the search was used up'
  return `${spent} after ${decided.explored} configurations; fewer processes or distinct written values would help`
}
