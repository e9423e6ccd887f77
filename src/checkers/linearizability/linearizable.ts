import type { Anomaly, Checker, CheckInput, CheckResult } from '../checker.js'
import { columnsOf } from '../../history/columns-builder.js'
import { isBuiltIn } from '../../models/built-in.js'
import type { Model } from '../../models/model.js'
import { startPacer, type Pacer } from '../pacer.js'
import { misfitOf } from '../picker.js'
import { breakOfViolation } from './answer/break-of-violation.js'
import { bytesForTables, tooLarge } from './budget.js'
import { anomalyOf, type Telling } from './certificate.js'
import { partsOf, type Encoded } from './encode.js'
import { decideParts, type DecidedParts } from './linearizable-exact.js'
import {
  searchedAnomaly,
  shownByWindow,
  tasksOf,
  untold,
  type OrderHint,
  type Subject,
} from './linearizable-search.js'
import { searchAll, type SearchedByAll } from './parallel.js'
import { watchRegisters } from './watch.js'

const name = 'linearizable'

export interface LinearizableOptions {
  /**
   * Such as the version, revision or offset that the system returned. The search tries operations in this order first.
   * It is not trusted: a wrong one costs time and never a verdict.
   */
  readonly orderHint?: OrderHint
}

/** Time to make a violation small and tell it, within what is left of the time limit. */
const mostExplainingMs = 10_000
/** That much is taken even when the verdict came at the last moment. */
const leastExplainingMs = 1_000
/** Of a violation in no longer a history it can be told where it breaks and why. */
const shortHistory = 10_000
/** Of more violations it is not told where each object's history breaks. */
const mostBreaks = 10

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
export function linearizable({ orderHint }: LinearizableOptions = {}): Checker {
  return {
    name,
    pattern: 1,
    usesModel: true,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'timeout_marker'],
    scope,
    misfit: (model, categories) => misfitOf(name, { model, categories }),
    watch: watchRegisters,
    check: (input) => check(input, orderHint),
  }
}

const noModel = 'no model was given; say what the object is, such as register()'

async function check(input: CheckInput, orderHint?: OrderHint): Promise<CheckResult> {
  const { model } = input
  const pacer = startPacer(input)
  const base = { checker: name, model: model?.name ?? null, anomalies: [], scope: [...scope] }
  const columns = input.columns ?? columnsOf(input.operations)
  const obstacle = model === null ? noModel : tooLarge(columns.count, input.memoryMb)
  if (model === null || obstacle !== null) {
    return {
      ...base,
      valid: 'unknown',
      reason: obstacle,
      operations: 0,
      coverage: 'all',
      evidence: {},
      ms: pacer.elapsedMs,
    }
  }
  const encoded = partsOf(columns, model)
  const judged = await judge({ columns, encoded, model, pacer }, input, orderHint)
  const { valid, reason } = verdictOf({ encoded, judged, model })
  const { exact, searched, subjects } = judged
  return {
    ...base,
    valid,
    reason,
    operations: encoded.consumed,
    coverage: encoded.foreignTypes.length === 0 ? 'all' : 'subset',
    evidence: {
      operations: encoded.consumed,
      judged: operationsIn(encoded),
      partitions: encoded.parts.length + encoded.inexpressible.length,
      decided: decidedIn(judged),
      exact: exact.valid + exact.violations.length,
      searched: subjects.length,
      configurations: exploredIn(searched),
      workers: searched.workers,
    },
    anomalies: [...judged.anomalies],
    ms: pacer.elapsedMs,
  }
}

interface Judged {
  readonly exact: DecidedParts
  /** What was left to the search, with the reason. */
  readonly subjects: readonly (Subject & { readonly reason: string })[]
  /** In the order of the subjects. */
  readonly searched: SearchedByAll
  readonly anomalies: readonly Anomaly[]
}

const noSearch: SearchedByAll = { searched: [], moves: 0, bytes: 0, spent: null, workers: 0 }

/** First the exact checkers; then, unless these found a violation, the search decides what they could not. */
async function judge(telling: Telling, input: CheckInput, orderHint?: OrderHint): Promise<Judged> {
  const { encoded, pacer } = telling
  const partitions = encoded.parts.length + encoded.inexpressible.length
  const tell = (decided: number, configurations = 0) =>
    input.onProgress?.({ decided, partitions, configurations })
  const exact = await decideParts(encoded.parts, telling, tell)
  const subjects = [
    ...exact.undecided,
    ...encoded.inexpressible.map((group) => ({ group, reason: noWords(telling.model) })),
  ]
  if (exact.violations.length > 0) {
    const anomalies = await exactAnomalies(exact.violations, telling, input)
    return { exact, subjects: [], searched: noSearch, anomalies }
  }
  if (exact.spent !== null || subjects.length === 0) {
    return { exact, subjects, searched: { ...noSearch, spent: exact.spent }, anomalies: [] }
  }
  const searched = await searchAll(tasksOf(subjects, telling, orderHint), {
    pacer,
    memoryBytes: bytesForTables(input.memoryMb),
    onTurn: (decided, explored) => tell(exact.valid + decided, explored),
  })
  const explaining = explainingPacer(pacer, input)
  const anomalies: Anomaly[] = []
  for (const [index, subject] of subjects.entries()) {
    const result = searched.searched[index]
    if (result === undefined || result.outcome === 'linearizable') continue
    const isFound = result.outcome === 'not-linearizable'
    if (isFound && input.verdictOnly === true) {
      anomalies.push(untold(subject, result, telling))
      continue
    }
    const isShort = isFound && operationsOf(subject) <= shortHistory
    const shown = isShort ? null : await shownByWindow(subject, result, { ...telling, pacer: explaining })
    if (shown !== null) anomalies.push(shown)
    if (shown !== null || !isFound) continue
    anomalies.push(await searchedAnomaly(subject, result, { ...telling, pacer: explaining }))
  }
  return { exact, subjects, searched, anomalies }
}

function explainingPacer(pacer: Pacer, { timeoutMs, signal }: CheckInput): Pacer {
  const leftMs = Math.max(leastExplainingMs, Math.min(mostExplainingMs, timeoutMs - pacer.elapsedMs))
  return startPacer({ timeoutMs: leftMs, signal })
}

/** Violations told; of the first few also where their objects' histories break. */
async function exactAnomalies(
  violations: DecidedParts['violations'],
  telling: Telling,
  input: CheckInput,
): Promise<Anomaly[]> {
  const explaining = {
    ...telling,
    pacer: explainingPacer(telling.pacer, input),
    memoryBytes: bytesForTables(input.memoryMb),
  }
  const anomalies: Anomaly[] = []
  for (const [index, { part, violation }] of violations.entries()) {
    const anomaly = anomalyOf(part, violation, telling)
    const isTold = input.verdictOnly !== true && index < mostBreaks
    const broken = isTold ? await breakOfViolation(part, violation, explaining) : undefined
    anomalies.push(broken === undefined ? anomaly : { ...anomaly, break: broken })
  }
  return anomalies
}

function operationsOf(subject: Subject): number {
  return 'part' in subject ? subject.part.count : subject.group.operations.length
}

function noWords(model: Model): string {
  return model.object === undefined
    ? `the model ${model.name} is not of a type that an exact checker knows`
    : `no exact checker has words for some operation of the model ${model.name}`
}

function operationsIn({ parts, inexpressible }: Encoded): number {
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  return sum(parts.map(({ count }) => count)) + sum(inexpressible.map(({ operations }) => operations.length))
}

function exploredIn({ searched }: SearchedByAll): number {
  return searched.reduce((sum, { explored }) => sum + explored, 0)
}

function decidedIn({ exact, searched }: Judged): number {
  const bySearch = searched.searched.filter(({ outcome }) => outcome !== 'open').length
  return exact.valid + exact.violations.length + bySearch
}

function verdictOf({
  encoded,
  judged,
  model,
}: {
  encoded: Encoded
  judged: Judged
  model: Model
}): Pick<CheckResult, 'valid' | 'reason'> {
  if (judged.anomalies.length > 0) return { valid: false, reason: null }
  // A history without any operation is linearizable by definition; that nothing was judged shows in the counts.
  if (encoded.consumed === 0 && encoded.foreignTypes.length > 0) {
    const found = encoded.foreignTypes.join(', ')
    return {
      valid: 'unknown',
      reason: `nothing to judge: the model ${model.name} knows ${model.operations.join(', ')}, and the history has only ${found}`,
    }
  }
  const { searched, subjects } = judged
  if (searched.spent === null) return { valid: true, reason: null }
  const all = encoded.parts.length + encoded.inexpressible.length
  const [first] = subjects
  const why = first === undefined ? '' : `. Only the search could decide the rest: ${first.reason}`
  const where = subjects.length > 1 && !isBuiltIn(model) ? ', by one thread since the model is your own' : ''
  return {
    valid: 'unknown',
    reason:
      `${searched.spent} after ${exploredIn(searched)} configurations, with ${decidedIn(judged)} of ${all} partitions ` +
      `decided${why}${where}. Distinct written values, more keys, fewer concurrent clients, more time or more memory would help`,
  }
}
