import { z } from 'zod'
import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { canonical } from '../../models/canonical.js'
import { AnomalyList, allOf } from '../anomaly-list.js'
import { checkedOptions } from '../checked-options.js'
import type { Checker } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { shown, tell } from '../words.js'
import type { Reference } from './reference.js'

export interface DifferentialOptions {
  /** Makes a fresh reference implementation. */
  reference: () => Reference
  /** Operation types that change nothing. Default: read, get, list, query, count, contains, balance, view, dump. */
  observers?: readonly string[]
  /** Whether two answers mean the same. Default: equal JSON values. */
  same?: (answer: Json, expected: Json) => boolean
}

const fn = z.custom<unknown>((value) => typeof value === 'function', 'expected a function')
const schema = z.strictObject({
  reference: fn,
  observers: z.array(z.string().min(1)).optional(),
  same: fn.optional(),
})

const usualObservers = ['read', 'get', 'list', 'query', 'count', 'contains', 'balance', 'view', 'dump']

/**
 * The system answers what a reference implementation answers to the same operations.
 *
 * The reference gets the acknowledged changes in the order of their answers. An answer is compared when it is certain
 * which changes came before it: an operation that overlaps a change is passed over, and after two changes that overlap,
 * or one of unknown outcome, nothing is. For concurrent clients give `linearizable()` a `model()` instead. Throws
 * DeclarationError when the options are wrong.
 */
export function differential(options: DifferentialOptions): Checker {
  checkedOptions(options, {
    checker: 'differential',
    factory: 'differential',
    schema,
    example: 'differential({ reference: () => new PlainListOfRecords() })',
  })
  const { reference, observers = usualObservers, same = equal } = options
  return defineChecker({
    name: 'differential',
    pattern: 6,
    options,
    needs: ['invoke_ts', 'complete_ts', 'output'],
    scope: [
      'what the reference gets wrong as well',
      'answers of operations that overlap a change, and all after changes whose order or outcome is not known',
    ],
    misfit: () => null,
    judge: ({ operations }) =>
      compare(operations, { reference: reference(), observers: new Set(observers), same }),
  })
}

const equal = (answer: Json, expected: Json) => canonical(answer) === canonical(expected)

function compare(
  operations: readonly Operation[],
  {
    reference,
    observers,
    same,
  }: { reference: Reference; observers: ReadonlySet<string>; same: (a: Json, b: Json) => boolean },
): Judgement {
  const changes = operations.filter(({ op_type: type }) => !observers.has(type))
  const certainUntil = firstDoubt(changes)
  const order = operations
    .filter((operation) => outcomeOf(operation) === 'ok' && (operation.complete_ts as number) < certainUntil)
    .toSorted((a, b) => (a.complete_ts as number) - (b.complete_ts as number))
  const overlaps = overlapsChange(changes)
  const found = new AnomalyList()
  let compared = 0
  for (const operation of order) {
    const { op_type: type, key, input, output, op_id: id } = operation
    const isChange = !observers.has(type)
    if (!isChange && overlaps(operation)) continue
    const expected = (reference.apply({ type, key, input }) ?? null) as Json
    compared += 1
    if (same(output, expected)) continue
    found.add(() => ({
      type: 'answer-differs',
      explanation: `${tell(operation)} answered ${shown(output)}; the reference answers ${shown(expected)}.`,
      operations: [id],
    }))
  }
  const passed = operations.length - compared
  return {
    consumed: compared,
    ...allOf([found]),
    undecided: compared === 0 && operations.length > 0 ? nothingCertain : null,
    evidence: { compared, passedOver: passed },
    coverage: passed === 0 ? 'all' : 'subset',
  }
}

const nothingCertain =
  'every operation overlaps a change or follows one whose order or outcome is not known; use one client at a time, or linearizable() with a model()'

/** The moment from which it is not certain what the state is: when the later of two overlapping changes began, or one of unknown outcome. */
function firstDoubt(changes: readonly Operation[]): number {
  let latestEnd = -1
  for (const change of changes.toSorted((a, b) => a.invoke_ts - b.invoke_ts)) {
    const outcome = outcomeOf(change)
    if (outcome === 'failed') continue
    if (outcome === 'unknown' || change.invoke_ts <= latestEnd) return change.invoke_ts
    latestEnd = change.complete_ts as number
  }
  return Infinity
}

/** Whether an answered observer overlaps a change, by a search among the changes that are certain to be one after another. */
function overlapsChange(changes: readonly Operation[]): (observer: Operation) => boolean {
  const spans = changes
    .filter((change) => outcomeOf(change) === 'ok')
    .toSorted((a, b) => a.invoke_ts - b.invoke_ts)
    .map((change) => ({ start: change.invoke_ts, end: change.complete_ts as number }))
  return ({ invoke_ts: start, complete_ts: end }) => {
    let [low, high] = [0, spans.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((spans[middle] as { end: number }).end < start) low = middle + 1
      else high = middle
    }
    const span = spans[low]
    return span !== undefined && span.start <= (end as number)
  }
}
