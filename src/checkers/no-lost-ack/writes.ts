import { outcomeOf, type Operation, type Outcome } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { canonical } from '../../models/canonical.js'

/** An operation that puts a value there: into a register, or as an element of a collection. */
export interface Write {
  readonly operation: Operation
  readonly outcome: Outcome
  /** The value as canonical JSON. */
  readonly value: string
  readonly invoke: number
  /** Infinity when the outcome is unknown. */
  readonly complete: number
}

/** Which operation types write, and which take elements out of a collection. */
export interface WriteTypes {
  readonly writes: ReadonlySet<string>
  readonly removes: ReadonlySet<string>
}

export const defaultWrites = [
  'write',
  'put',
  'set',
  'cas',
  'compare-and-set',
  'add',
  'insert',
  'append',
  'create',
  'enqueue',
  'push',
] as const
export const defaultRemoves = ['delete', 'remove', 'dequeue', 'poll', 'pop'] as const

/** Operation types that add an element to a collection, so that they leave no single value. */
const adding: ReadonlySet<string> = new Set(['add', 'insert', 'append', 'create', 'enqueue', 'push'])

/** True when some operation of a key adds to what was there, so that its value is not that of one write. */
export function addsUp(writes: readonly Write[]): boolean {
  return writes.some(({ operation, outcome }) => outcome !== 'failed' && adding.has(operation.op_type))
}

const casTypes: ReadonlySet<string> = new Set(['cas', 'compare-and-set'])

/**
 * The writes of one key, in order of invocation. A CAS writes the second of its `[expected, new]` and nothing when it
 * was refused. With `removesWriteNull` a removal is a write of null, as on a register or map.
 */
export function writesOf(
  operations: readonly Operation[],
  { types, removesWriteNull }: { types: WriteTypes; removesWriteNull: boolean },
): Write[] {
  const writes = operations.flatMap((operation): Write[] => {
    const removes = types.removes.has(operation.op_type)
    if (!types.writes.has(operation.op_type) && !(removes && removesWriteNull)) return []
    const value = removes ? null : writtenValue(operation)
    if (value === undefined) return []
    return [
      {
        operation,
        outcome: outcomeOf(operation),
        value: canonical(value),
        invoke: operation.invoke_ts,
        complete: operation.complete_ts ?? Infinity,
      },
    ]
  })
  return writes.sort((a, b) => a.invoke - b.invoke)
}

function writtenValue({ op_type: type, input, output }: Operation): Json | undefined {
  if (!casTypes.has(type)) return input
  if (output === false || !Array.isArray(input)) return undefined
  return input[1]
}
