import { never, none, registerKind, type Part, type Violation } from '../../part.js'
import { proofsOfEffect, tookEffect, type ChainIndex } from './chain-index.js'
import { clash } from './clash.js'
import { foundAmong, returnBy, type Found } from './earliest.js'
import { reusable } from './scratch.js'
import { conflict, type Zones } from './zone-sweep.js'

/** Values that follow one another by CAS, as blocks. */
export interface Chains extends ChainIndex, Zones {
  /** By chain, its first value. Chain 0 begins with the initial value. */
  readonly root: Int32Array
  /** By value, its chain; `none` for values that never were there. */
  readonly chainOf: Int32Array
}

/** Up to this length the path from the root belongs to a violation. */
const shortPath = 12

const rootMemory = reusable()
const chainOfMemory = reusable()
const firstReturnMemory = reusable()
const lastInvokeMemory = reusable()
const clusterMemory = reusable()

/**
 * Follows every chain from its root: the writer of a value comes before its reads, and these before the CAS to the
 * next value. An operation that returned before one that must come earlier was invoked is a violation, and so is
 * a chain that bites its own tail, and two chains that must each precede the other.
 *
 * In a chain without the first kind every operation can be put at the latest invocation of those up to it, or later,
 * so a chain as a whole can be placed like a single value. Linear.
 */
export function chainsOf(index: ChainIndex): Chains | Found {
  const { part, limit, writer, next, follows, firstRead, nextRead } = index
  const { invoke, values } = part
  const root = rootMemory(values, none)
  const chainOf = chainOfMemory(values, none)
  const firstReturn = firstReturnMemory(values, never)
  const lastInvoke = lastInvokeMemory(values, -1)
  firstReturn[0] = -1
  let count = 0
  for (let start = 0; start < values; start += 1) {
    if (follows[start] === 1 || !wasThere(index, start)) continue
    const chain = count
    count += 1
    root[chain] = start
    let first = firstReturn[chain] as number
    let latest = -1
    let latestOf = none
    for (let value = start; value !== none; value = next[value] as number) {
      chainOf[value] = chain
      const source = writer[value] as number
      if (source !== none) {
        const ended = returnBy(part, { operation: source, limit })
        if (ended < latest) return outOfOrder(index, [latestOf, source])
        if (ended < first) first = ended
        if ((invoke[source] as number) > latest) {
          latest = invoke[source] as number
          latestOf = source
        }
      }
      const before = latest
      const beforeOf = latestOf
      for (let read = firstRead[value] as number; read !== none; read = nextRead[read] as number) {
        const ended = part.complete[read] as number
        if (ended < before) return outOfOrder(index, [beforeOf, read])
        if (ended < first) first = ended
        if ((invoke[read] as number) > latest) {
          latest = invoke[read] as number
          latestOf = read
        }
      }
    }
    firstReturn[chain] = first
    lastInvoke[chain] = latest
  }
  for (let value = 0; value < values; value += 1) {
    if (follows[value] === 1 && chainOf[value] === none) return withoutRoot(index, value)
  }
  const chains = {
    ...index,
    root: root.subarray(0, count),
    chainOf,
    firstReturn: firstReturn.subarray(0, count),
    lastInvoke: lastInvoke.subarray(0, count),
  }
  const clusters = conflict(chains, part.events)
  return clusters === null ? chains : betweenChains(chains, clusters)
}

/** Whether the register may have held the value: it is the initial one, or was written. */
function wasThere(index: ChainIndex, value: number): boolean {
  if (value === 0) return true
  const source = index.writer[value] as number
  if (source === none || (index.part.invoke[source] as number) > index.limit) return false
  return index.part.kind[source] === registerKind.write || tookEffect(index, source)
}

/** `late` returned before `early` began, although its place in the chain is after it. */
function outOfOrder(index: ChainIndex, [early, late]: readonly [number, number]): Found {
  const { part, limit, writer } = index
  const operations = [early, late]
  const isStale = part.kind[early] === registerKind.read
  const explain: Violation['explain'] = ({ tell, value }) => {
    const seen = value(part.a[isStale ? early : late] as number)
    if (isStale) {
      return `${tell(early)} saw ${seen}, although ${tell(late)} had returned before it began, and successful CAS operations lead from ${seen} to ${value(leaves(part, late))} for good.`
    }
    return writer[part.a[late] as number] === early
      ? `${tell(late)} saw ${seen} and had returned before ${tell(early)} began, which wrote it.`
      : `${tell(late)} had returned before ${tell(early)} began, although successful CAS operations lead from what the latter wrote to what the former saw.`
  }
  const support = [...pathTo(index, operations), ...proofsOfEffect(index, operations)]
  return foundAmong(part, {
    type: isStale ? 'stale-value' : 'value-from-the-future',
    operations: [...operations, ...support],
    limit,
    explain,
  })
}

/** The value that the register has right after the operation. */
function leaves(part: Part, operation: number): number {
  const isCas = part.kind[operation] === registerKind.cas
  return (isCas ? part.b[operation] : part.a[operation]) as number
}

/** CAS operations in a ring, of which none can have been the first. */
function withoutRoot(index: ChainIndex, start: number): Found {
  const { part, writer, next, limit } = index
  const ring: number[] = []
  let value = start
  do {
    ring.push(writer[value] as number)
    value = next[value] as number
  } while (value !== start)
  return foundAmong(part, {
    type: 'cas-ring',
    operations: [...ring, ...proofsOfEffect(index, ring)],
    limit,
    explain: ({ tell, value }) =>
      `Each of ${ring.map(tell).join(', ')} found what another of them wrote, and nothing else wrote ${value(start)}: none of them can have been the first.`,
  })
}

function betweenChains(chains: Chains, clusters: readonly [number, number]): Found {
  const { part, limit, chainOf } = chains
  const clusterOf = clusterMemory(part.count, none)
  for (let operation = 0; operation < part.count; operation += 1) {
    if (part.kind[operation] === registerKind.differs) continue
    const isCas = part.kind[operation] === registerKind.cas
    if (isCas && !tookEffect(chains, operation)) continue
    clusterOf[operation] = chainOf[leaves(part, operation)] as number
  }
  return clash({
    part,
    clusterOf,
    clusters,
    initial: 0,
    limit,
    support: (operations) => {
      const path = pathTo(chains, operations)
      return [...path, ...proofsOfEffect(chains, [...operations, ...path])]
    },
  })
}

/**
 * The writers of the values that lead to those of the operations: from their roots when the path is short, otherwise
 * between the first and the last of the operations in each chain.
 */
export function pathTo({ part, writer }: ChainIndex, operations: readonly number[]): number[] {
  const values = new Set(operations.map((operation) => leaves(part, operation)))
  return [...values].flatMap((value) => {
    const path: number[] = []
    let needed = 1
    for (let at = writer[value] as number; at !== none; at = writer[part.a[at] as number] as number) {
      path.push(at)
      if (values.has(leaves(part, at))) needed = path.length
      if (part.kind[at] !== registerKind.cas) break
    }
    return path.length <= shortPath ? path : path.slice(0, needed)
  })
}
