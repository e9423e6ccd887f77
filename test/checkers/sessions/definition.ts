import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'

/** A write as the definition sees it; a ghost is one that only reads tell of. */
interface Write {
  readonly key: Operation['key']
  readonly value: Json
  readonly version: number | null
  readonly operation: Operation | null
}

interface Shown {
  readonly value: Json | undefined
  readonly version: number | null
}

export function shownBy({ output }: Operation): Shown {
  if (typeof output !== 'object' || output === null || Array.isArray(output))
    return { value: output, version: null }
  return { value: output['value'], version: (output['version'] as number | undefined) ?? null }
}

/**
 * Session guarantees by their definition, for small histories of `write` and `read` with initial state null: tries every
 * order of every choice of unanswered writes and every explanation of what each read shows. Shares nothing with the
 * code that it is to judge. Reads that no write explains say nothing.
 */
export function isConsistent(operations: readonly Operation[], guarantees: readonly string[]): boolean {
  const written = operations.filter(({ op_type: type }) => type === 'write')
  const certain = written.filter((it) => outcomeOf(it) === 'ok').map(writeOf)
  const doubtful = written.filter((it) => outcomeOf(it) === 'unknown').map(writeOf)
  const possible = [...certain, ...doubtful]
  const seen = ghosts(operations, possible)
  const isExplicable = (read: Operation) =>
    [...possible, ...seen].some((write) => canShow(write, read)) || showsInitial(read)
  const told = operations.filter((it) => !isAnsweredRead(it) || isExplicable(it))
  return subsets(doubtful).some((happened) =>
    permutations([...certain, ...happened, ...seen]).some((order) => allows(told, order, guarantees)),
  )
}

function writeOf(operation: Operation): Write {
  return {
    key: operation.key,
    value: operation.input,
    version: outcomeOf(operation) === 'ok' ? shownBy(operation).version : null,
    operation,
  }
}

/** A value that nobody reads or writes. */
const unseen = 'unseen'

/**
 * Versions that are read and that no write of the history can have. One that is read without its value may always be of
 * a write that the history does not have.
 */
function ghosts(operations: readonly Operation[], real: readonly Write[]): Write[] {
  const found: Write[] = []
  for (const operation of operations) {
    if (!isAnsweredRead(operation)) continue
    const { value, version } = shownBy(operation)
    if (version === null) continue
    const ghost = { key: operation.key, value: value ?? unseen, version, operation: null }
    const isBlind = value === undefined && !found.some((it) => it.version === version && it.value === unseen)
    if (isBlind || ![...real, ...found].some((write) => canShow(write, operation))) found.push(ghost)
  }
  return found
}

function showsInitial(read: Operation): boolean {
  const { value, version } = shownBy(read)
  return value === null && version === null
}

function isAnsweredRead(operation: Operation): boolean {
  return operation.op_type === 'read' && outcomeOf(operation) === 'ok'
}

function canShow(write: Write, read: Operation): boolean {
  const { value, version } = shownBy(read)
  return (
    write.key === read.key &&
    (value === undefined || value === write.value) &&
    (version === null || write.version === null || version === write.version)
  )
}

const initial = -1

function allows(
  operations: readonly Operation[],
  order: readonly Write[],
  guarantees: readonly string[],
): boolean {
  const reads = operations.filter(isAnsweredRead)
  const choices = reads.map((read) => {
    const sources = order.flatMap((write, place) => (canShow(write, read) ? [place] : []))
    return showsInitial(read) ? [initial, ...sources] : sources
  })
  return combinations(choices).some((sources) => {
    const sourceOf = new Map(reads.map((read, i) => [read, sources[i]!]))
    return versionsFit(order, sourceOf) && keeps(operations, order, { sourceOf, guarantees })
  })
}

/** Versions of a key never fall along the order, when each write has the version that its readers show. */
function versionsFit(order: readonly Write[], sourceOf: ReadonlyMap<Operation, number>): boolean {
  const versions = order.map(({ version }) => version)
  for (const [read, source] of sourceOf) {
    const { version } = shownBy(read)
    if (source === initial || version === null) continue
    if (versions[source] !== null && versions[source] !== version) return false
    versions[source] = version
  }
  return order.every((write, place) =>
    order.slice(0, place).every((other, before) => {
      const [lower, upper] = [versions[before] ?? null, versions[place] ?? null]
      return other.key !== write.key || lower === null || upper === null || lower <= upper
    }),
  )
}

function keeps(
  operations: readonly Operation[],
  order: readonly Write[],
  { sourceOf, guarantees }: { sourceOf: ReadonlyMap<Operation, number>; guarantees: readonly string[] },
): boolean {
  const has = (guarantee: string) => guarantees.includes(guarantee)
  const visible = new Map<Operation, Set<number>>()
  for (const operation of operations) {
    const before = operations.slice(0, operations.indexOf(operation))
    const earlier = before.filter((it) => it.process_id === operation.process_id && outcomeOf(it) === 'ok')
    const earlierReads = earlier.filter((it) => (sourceOf.get(it) ?? null) !== null)
    const place = order.findIndex((write) => write.operation === operation)
    const ownBefore = earlier.flatMap((it) => {
      const at = order.findIndex((write) => write.operation === it)
      return at === -1 ? [] : [at]
    })
    if (operation.op_type === 'write' && place !== -1) {
      if (has('monotonic-writes') && ownBefore.some((own) => own > place)) return false
      if (
        has('writes-follow-reads') &&
        earlierReads.some((read) => [...visible.get(read)!].some((seen) => seen >= place))
      )
        return false
    }
    const source = sourceOf.get(operation) ?? null
    if (source === null) continue
    const sees = new Set(source === initial ? [] : [source])
    if (has('read-your-writes')) for (const own of ownBefore) sees.add(own)
    if (has('monotonic-reads'))
      for (const read of earlierReads) for (const seen of visible.get(read)!) sees.add(seen)
    visible.set(operation, sees)
    const ofKey = [...sees].filter((seen) => order[seen]!.key === operation.key)
    if (Math.max(initial, ...ofKey) !== source) return false
  }
  return true
}

/**
 * Bounded staleness by its definition, for the same histories: tries every order of effects, by version on keys that
 * show any, else each between its invocation and its answer, and every explanation of what each read shows. Reads that
 * no write explains say nothing.
 */
export function isFresh(
  operations: readonly Operation[],
  bound: { withinNs: number } | { versions: number },
): boolean {
  const written = operations.filter(({ op_type: type }) => type === 'write')
  const certain = written.filter((it) => outcomeOf(it) === 'ok').map(writeOf)
  const doubtful = written.filter((it) => outcomeOf(it) === 'unknown').map(writeOf)
  const seen = ghosts(operations, [...certain, ...doubtful])
  const versioned = new Set(
    operations.filter((it) => outcomeOf(it) === 'ok' && shownBy(it).version !== null).map(({ key }) => key),
  )
  const couldShow = (write: Write, read: Operation) => {
    const hadBegun = write.operation === null || write.operation.invoke_ts < read.complete_ts!
    return canShow(write, read) && (hadBegun || versioned.has(read.key))
  }
  const possible = [...certain, ...doubtful, ...seen]
  const reads = operations.filter(
    (it) => isAnsweredRead(it) && (showsInitial(it) || possible.some((write) => couldShow(write, it))),
  )
  return subsets(doubtful).some((happened) =>
    permutations([...certain, ...happened, ...seen]).some((order) => {
      const choices = reads.map((read) => {
        const sources = order.flatMap((write, place) => (couldShow(write, read) ? [place] : []))
        return showsInitial(read) ? [initial, ...sources] : sources
      })
      return combinations(choices).some((sources) => {
        const sourceOf = new Map(reads.map((read, i) => [read, sources[i]!]))
        return (
          versionsFit(order, sourceOf) &&
          hasEffects(order, sourceOf, versioned) &&
          reads.every((read) => missesFew(read, order, { source: sourceOf.get(read)!, bound }))
        )
      })
    }),
  )
}

function hasEffects(
  order: readonly Write[],
  sourceOf: ReadonlyMap<Operation, number>,
  versioned: ReadonlySet<Operation['key']>,
): boolean {
  // Each key is an object of its own, so that only the order on one key is an order in time.
  const now = new Map<Operation['key'], number>()
  return order.every(({ operation }, place) => {
    if (operation === null || versioned.has(operation.key)) return true
    const readBy = [...sourceOf].filter(([, source]) => source === place).map(([read]) => read)
    const ends = [operation, ...readBy].map(({ complete_ts: end }) => end ?? Infinity)
    const effect = Math.max(now.get(operation.key) ?? 0, operation.invoke_ts)
    now.set(operation.key, effect)
    return ends.every((end) => effect <= end)
  })
}

function missesFew(
  read: Operation,
  order: readonly Write[],
  { source, bound }: { source: number; bound: { withinNs: number } | { versions: number } },
): boolean {
  const limit = 'withinNs' in bound ? bound.withinNs : 0
  const missed = order.filter(({ key, operation }, place) => {
    const age = read.invoke_ts - (operation?.complete_ts ?? Infinity)
    return key === read.key && place > source && age > 0 && age >= limit
  })
  return missed.length <= ('versions' in bound ? bound.versions : 0)
}

function subsets<T>([first, ...rest]: readonly T[]): T[][] {
  if (first === undefined) return [[]]
  const others = subsets(rest)
  return [...others, ...others.map((other) => [first, ...other])]
}

export function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]]
  return items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]))
}

/** One of each list. */
function combinations(lists: readonly (readonly number[])[]): number[][] {
  let found: number[][] = [[]]
  for (const list of lists) {
    found = found.flatMap((chosen) => list.map((option) => [...chosen, option]))
  }
  return found
}
