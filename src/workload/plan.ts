import fc from 'fast-check'
import { recordable } from '../history/recordable.js'
import type { Json } from '../json.js'
import type { Random } from '../random/random.js'
import type { OperationSpec, WorkloadSpec } from './workload.js'
import { zipf } from './zipf.js'

/** What one operation of a run does. */
export interface PlannedOperation {
  /** Position in the sequence, from 0. */
  readonly number: number
  readonly type: string
  readonly key: string | null
  readonly value: Json
}

const observers: ReadonlySet<string> = new Set(['read', 'get', 'list', 'balance', 'contains', 'view'])

/**
 * The one sequence of operations of a run, in the order in which clients take them.
 *
 * The seed and the declaration determine it: operation n has the same type, key and value in every run with the same
 * seed. Types, keys and the values of each type are streams of their own. Which client performs operation n, at what
 * moment, and how many operations there are, depends on how fast the system answers.
 */
export function planOperations(
  spec: Pick<WorkloadSpec<never>, 'keys' | 'operations'>,
  random: Random,
): Iterator<PlannedOperation, never> {
  return sequence(
    drawType(spec.operations, random),
    drawKey(spec.keys, random),
    drawValue(spec.operations, random),
  )
}

function* sequence(
  type: () => string,
  key: () => string | null,
  value: (type: string) => Json,
): Generator<PlannedOperation, never> {
  for (let number = 0; ; number++) {
    const drawn = type()
    yield { number, type: drawn, key: key(), value: value(drawn) }
  }
}

type Operations = Readonly<Record<string, OperationSpec<never>>>

function drawType(operations: Operations, random: Random): () => string {
  const stream = random.fork('types')
  const weighted = Object.entries(operations).map(([type, { weight = 1 }]) => ({ type, weight }))
  const total = weighted.reduce((sum, { weight }) => sum + weight, 0)
  return () => {
    let left = stream.float() * total
    for (const { type, weight } of weighted) {
      left -= weight
      if (left < 0) return type
    }
    // Only rounding leads here: the sum of the weights and their successive subtraction differ in the last bit.
    return weighted.findLast(({ weight }) => weight > 0)!.type
  }
}

function drawKey(keys: WorkloadSpec<never>['keys'], random: Random): () => string | null {
  if (keys === undefined) return () => null
  const stream = random.fork('keys')
  const rank = keys.skew === 'zipf' ? zipf(keys.count) : (from: Random) => from.int(0, keys.count - 1)
  return () => `k${rank(stream)}`
}

function drawValue(operations: Operations, random: Random): (type: string) => Json {
  let distinct = 0
  const draws = new Map<string, () => Json>()
  for (const [type, { input, mutates = !observers.has(type) }] of Object.entries(operations)) {
    if (input === undefined) {
      draws.set(type, mutates ? () => ++distinct : () => null)
      continue
    }
    const stream = new fc.Random(random.fork(`values of ${type}`).generator())
    draws.set(type, () =>
      recordable(input.generate(stream, undefined).value, `a value of workload.operations.${type}.input`),
    )
  }
  return (type) => draws.get(type)!()
}
