import type { Columns } from '../../history/columns.js'
import type { Operation } from '../../history/operation.js'
import { isBuiltIn } from '../../models/built-in.js'
import type { Model } from '../../models/model.js'
import type { Anomaly } from '../checker.js'
import type { Pacer } from '../pacer.js'
import type { Call, Partition } from './call.js'
import { breakOfCalls } from './answer/break-of-calls.js'
import { anomalyOf, recheck, tellOperation, type Telling } from './certificate.js'
import type { Group } from './encode-writer.js'
import type { Encoded } from './encode.js'
import { anomalyType, explain } from './explain.js'
import { minimise } from './minimise.js'
import { windowProof } from './exact/register/window-proof.js'
import { never, none, type Part } from './part.js'
import type { Task } from './parallel.js'
import { firstBreak } from './prefix.js'
import { prepare } from './prepare.js'
import { callsOfGroup, callsOfPart, type ModelCalls } from './search/model-calls.js'
import { modelProblem } from './search/model-problem.js'
import { portableCalls, portableRegister, type Portable } from './search/portable.js'
import type { Problem } from './search/problem.js'
import { registerProblem } from './search/register-problem.js'
import type { Searched } from './search/search-in-turns.js'
import { settle, type Settling } from './settle.js'

/** What only the search can decide: a part, or operations for which there are no codes. */
export type Subject = { readonly part: Part } | { readonly group: Group }

interface Source {
  readonly columns: Columns
  readonly encoded: Encoded
  readonly model: Model
}

/** The place of an operation in the order of its object that the system claims; null where it claims none. */
export type OrderHint = (operation: Operation) => number | null

/** The subject as the search takes it. */
function problemOf(subject: Subject, source: Source, orderHint?: OrderHint): Problem {
  const problem = isRegister(subject) ? registerProblem(subject.part) : null
  const order = orderOf(subject, source, orderHint)
  return {
    ...(problem ?? modelProblem(callsOf(subject, source), source.model)),
    ...(order === undefined ? {} : { order }),
  }
}

/** What to search, by this thread or by others: a model of the user's own is functions, which cannot go there. */
export function tasksOf(subjects: readonly Subject[], source: Source, orderHint?: OrderHint): Task[] {
  const isNamed = isBuiltIn(source.model)
  return subjects.map((subject) => ({
    problem: () => problemOf(subject, source, orderHint),
    portable: isNamed || isRegister(subject) ? () => portableOf(subject, source, orderHint) : null,
  }))
}

function portableOf(subject: Subject, source: Source, orderHint?: OrderHint): Portable {
  const order = orderOf(subject, source, orderHint)
  if (isRegister(subject)) return portableRegister(subject.part, order)
  return portableCalls(callsOf(subject, source), source.model, order)
}

function isRegister(subject: Subject): subject is { readonly part: Part } {
  return 'part' in subject && subject.part.object === 'register'
}

function callsOf(subject: Subject, { columns, model }: Source): ModelCalls {
  return 'group' in subject
    ? callsOfGroup(subject.group, { columns, model })
    : callsOfPart(subject.part, { columns, model })
}

function orderOf(subject: Subject, { columns }: Source, orderHint?: OrderHint): Float64Array | undefined {
  if (orderHint === undefined) return undefined
  const placeOf = (index: number) => orderHint(columns.operationAt(index)) ?? Infinity
  return Float64Array.from(sourcesOf(subject), placeOf)
}

function sourcesOf(subject: Subject): readonly number[] | Int32Array {
  return 'group' in subject ? subject.group.operations : subject.part.source
}

/**
 * A violation that the search found, told by the operation at which it breaks and the few operations that are a
 * violation by themselves.
 */
export async function searchedAnomaly(
  subject: Subject,
  searched: Searched,
  { columns, model, pacer }: Source & { pacer: Pacer },
): Promise<Anomaly> {
  const sources = sourcesOf(subject)
  const operations = Array.from(sources, (index) => columns.operationAt(index))
  const [partition] = prepare(operations, model).partitions
  const stuckId = columns.idAt(sources[searched.stuckAt] as number)
  const stuckAt = partition?.calls.find(({ operation }) => operation.op_id === stuckId)
  if (partition === undefined || stuckAt === undefined) {
    throw new Error('a violation without an operation at which it breaks')
  }
  const settling = { key: partition.key, model, pacer }
  const brokenAt = await firstBreak(partition.calls, stuckAt, settling)
  const core = await minimise(partition.calls, brokenAt, settling)
  const violation = {
    partition,
    brokenAt,
    core: (core && (await asRecorded(core, partition.calls, settling))) ?? partition.calls,
  }
  return {
    type: anomalyType(violation, model),
    explanation: explain(violation, { model, operations: failedToo(operations, { columns, partition }) }),
    operations: violation.core.map((call) => call.operation.op_id),
    break: await breakOfCalls(partition.calls, brokenAt, settling),
  }
}

/**
 * The violation by the few operations shortly before the return that the search did not get past, of a register; it
 * counts also when the search itself ran out before it had tried everything. Null when no small window shows one.
 */
export async function shownByWindow(
  subject: Subject,
  { stuckAt }: Searched,
  telling: Telling,
): Promise<Anomaly | null> {
  if (!isRegister(subject) || stuckAt === none) return null
  const { part } = subject
  const at = part.complete[stuckAt] as number
  const violation = at === never ? null : windowProof(part, { at })
  if (violation === null || (await recheck(part, violation, telling)) !== 'holds') return null
  return anomalyOf(part, violation, telling)
}

/** A violation by no more than the operation at which it breaks. */
export function untold(subject: Subject, { stuckAt }: Searched, { columns, model }: Source): Anomaly {
  const sources = sourcesOf(subject)
  const index = sources[stuckAt] as number
  const explanation = `No order gets past the return of ${tellOperation(index, { columns, model })}.`
  return { type: 'not-linearizable', explanation, operations: [columns.idAt(index)] }
}

/** The operations with the failed ones on the same key, of which a hint may speak. */
function failedToo(
  operations: readonly Operation[],
  { columns, partition }: { columns: Columns; partition: Partition },
): readonly Operation[] {
  const failed: Operation[] = []
  for (let index = 0; index < columns.count; index += 1) {
    if (columns.outcome[index] !== 1) continue
    const operation = columns.operationAt(index)
    if (partition.key === null || operation.key === partition.key) failed.push(operation)
  }
  return [...operations, ...failed]
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
