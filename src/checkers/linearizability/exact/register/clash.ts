import { never, none, registerKind, type Part, type Violation } from '../../part.js'
import { foundAmong, returnBy, type Found } from './earliest.js'

/** What is needed to tell why two clusters of a register's operations contradict each other. */
export interface ClashInput {
  readonly part: Part
  /** The cluster of each operation; negative when it has none. */
  readonly clusterOf: Int32Array
  readonly clusters: readonly [number, number]
  /** The cluster of the initial value, which was there before all operations. */
  readonly initial: number
  /** The rank of the last event that counts. */
  readonly limit: number
  /** Values are written more than once, so a cluster is told by its write. */
  readonly isRepeated?: boolean
  /** More operations, without which those given would not contradict one another. */
  support?(operations: readonly number[]): readonly number[]
}

/** A cluster's write, and the operations that returned first and were invoked last; `none` where there is no such one. */
interface Cluster {
  readonly id: number
  readonly write: number
  readonly first: number
  readonly firstReturn: number
  readonly last: number
  readonly lastInvoke: number
}

/** `old` was there first, then `fresh`, and then `old` again. */
interface Way {
  readonly old: Cluster
  readonly fresh: Cluster
}

/**
 * The few operations that show why two clusters contradict each other, in words.
 *
 * Something of the one returned before something of the other was invoked, and the other way round. When a single
 * operation of the other lies between, that is a stale value. Linear in the operations, and done only for violations.
 */
export function clash(input: ClashInput): Found {
  const [one, other] = input.clusters.map((id) => clusterOf(input, id)) as [Cluster, Cluster]
  const ways: Way[] = [
    { old: one, fresh: other },
    { old: other, fresh: one },
  ]
  const fromInitial = ways.filter(({ old }) => old.id === input.initial)
  const possible = fromInitial.length > 0 ? fromInitial : ways
  for (const way of possible) {
    const between = operationBetween(input, way)
    if (between !== none) return staleValue(input, { ...way, between })
  }
  return valueCameBack(input, one.lastInvoke > other.lastInvoke ? (ways[0] as Way) : (ways[1] as Way))
}

function clusterOf({ part, clusterOf, initial, limit }: ClashInput, id: number): Cluster {
  let write = none
  let first = none
  let firstReturn = id === initial ? -1 : never
  let last = none
  let lastInvoke = -1
  for (let operation = 0; operation < part.count; operation += 1) {
    const invoke = part.invoke[operation] as number
    if (clusterOf[operation] !== id || invoke > limit) continue
    const complete = returnBy(part, { operation, limit })
    if (part.kind[operation] === registerKind.write) write = operation
    else if (part.kind[operation] === registerKind.read && complete === never) continue
    if (complete < firstReturn) {
      first = operation
      firstReturn = complete
    }
    if (invoke > lastInvoke) {
      last = operation
      lastInvoke = invoke
    }
  }
  return { id, write, first, firstReturn, last, lastInvoke }
}

/** An operation of the fresh cluster wholly after one of the old and wholly before another; its write if that will do. */
function operationBetween({ part, clusterOf, limit }: ClashInput, { old, fresh }: Way): number {
  let between = none
  for (let operation = 0; operation < part.count; operation += 1) {
    if (clusterOf[operation] !== fresh.id) continue
    if ((part.invoke[operation] as number) < old.firstReturn) continue
    if (returnBy(part, { operation, limit }) >= old.lastInvoke) continue
    if (operation === fresh.write) return operation
    between = operation
  }
  return between
}

/** The cluster's write when it returned before the given rank, else what returned first. */
function earlyOperation(
  { part, limit }: ClashInput,
  { cluster, before }: { cluster: Cluster; before: number },
) {
  if (cluster.firstReturn < 0) return none
  const { write, first } = cluster
  return write !== none && returnBy(part, { operation: write, limit }) < before ? write : first
}

function staleValue(input: ClashInput, { old, fresh, between }: Way & { between: number }): Found {
  const { part } = input
  const before = earlyOperation(input, { cluster: old, before: part.invoke[between] as number })
  const operations = [old.write, before, fresh.write, between, old.last]
  const seen = part.a[old.last] as number
  const explain: Violation['explain'] = ({ tell, value }) => {
    const reader = tell(old.last)
    if (before === none) {
      return isSame(part, [old.last])
        ? `${reader} saw the initial value ${value(seen)}, although ${tell(between)} had returned before it began.`
        : `${reader} needs values that follow the initial one by successful CAS operations alone, although ${tell(between)} had returned before it began.`
    }
    const order = `${tell(before)} had returned before ${tell(between)} began, and that had returned before`
    if (!isSame(part, [before, old.last])) {
      return `${order} ${reader} began; but the values of the first and the last follow one another by successful CAS operations, so nothing can lie between.`
    }
    const end = input.isRepeated
      ? `it can have seen no other write of ${value(seen)} than ${tell(old.write)}`
      : `nothing wrote ${value(seen)} again`
    return `${reader} saw ${value(seen)}, which had been overwritten: ${order} it began, and ${end}.`
  }
  return found(input, { type: 'stale-value', operations, explain })
}

function valueCameBack(input: ClashInput, { old, fresh }: Way): Found {
  const { part } = input
  const before = earlyOperation(input, { cluster: old, before: fresh.lastInvoke })
  const middle = earlyOperation(input, { cluster: fresh, before: old.lastInvoke })
  const operations = [old.write, before, fresh.write, middle, fresh.last, old.last]
  const explain: Violation['explain'] = ({ tell, value }) => {
    const order =
      `${tell(before)} had returned before ${tell(fresh.last)} began, ` +
      `and ${tell(middle)} had returned before ${tell(old.last)} began`
    if (!isSame(part, [before, old.last]) || !isSame(part, [middle, fresh.last])) {
      return `${order}; but two runs of values, each linked by successful CAS operations, cannot take turns.`
    }
    const what = ({ last, write }: Cluster) => {
      const text = value(part.a[last] as number)
      return input.isRepeated && write !== none ? `the ${text} of ${tell(write)}` : text
    }
    const [x, y] = [what(old), what(fresh)]
    const end = input.isRepeated
      ? 'these reads can have seen no other writes of their values'
      : `a register cannot go from ${x} to ${y} and back with a single write of ${x}`
    return `${x} was visible before and after ${y} was: ${order}; ${end}.`
  }
  return found(input, { type: 'value-came-back', operations, explain })
}

/** Reads and writes of one value: no CAS, which concerns two. */
function isSame(part: Part, operations: readonly number[]): boolean {
  const [first] = operations
  return operations.every(
    (operation) => part.kind[operation] !== registerKind.cas && part.a[operation] === part.a[first as number],
  )
}

function found(
  { part, limit, support }: ClashInput,
  { operations, ...told }: Pick<Violation, 'type' | 'explain' | 'operations'>,
): Found {
  const few = operations.filter((operation) => operation !== none)
  return foundAmong(part, { ...told, operations: [...few, ...(support?.(few) ?? [])], limit })
}
