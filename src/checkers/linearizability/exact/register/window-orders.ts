import { never, none, registerKind } from '../../part.js'
import type { WindowOperation } from './window.js'

/** How many operations can be open at once; one bit each. */
const mostOpen = 30
/** How many of these may be ones that need not take effect; others may then take effect any number of times. */
const mostOptional = 12
const bits = 2 ** mostOpen

/**
 * The rank of the return that no order of the window gets past, whatever value the register had at the start; `none` when
 * some order does, and also when it would take more than `most` steps to know.
 *
 * Goes through the events and keeps all possible configurations: the register's value, and which of the open operations
 * have taken effect. An operation is let take effect only when one must that is about to return, and observers as
 * soon as the value fits, which never hurts. Of open operations that do the same the one that returns first goes
 * first. Cost: exponential in the concurrency of the window at worst, linear in its length.
 */
export function returnNobodyPasses(
  window: readonly WindowOperation[],
  { initial, most }: { initial: number | null; most: number },
): number {
  const run = new Run(window, most)
  run.start(initial)
  for (const { rank, operation, returns } of eventsOf(window)) {
    if (!returns) run.invoke(operation)
    else if (!run.return(operation)) return run.isSpent ? none : rank
    if (run.isSpent) return none
  }
  return none
}

interface Event {
  readonly rank: number
  readonly operation: WindowOperation
  readonly returns: boolean
}

function eventsOf(window: readonly WindowOperation[]): Event[] {
  const events = window.flatMap((operation): Event[] => [
    { rank: operation.invoke, operation, returns: false },
    ...(operation.complete === never ? [] : [{ rank: operation.complete, operation, returns: true }]),
  ])
  return events.sort((x, y) => x.rank - y.rank)
}

/** A configuration is `value * bits + effective`, the value numbered within the window. */
class Run {
  readonly #numbers = new Map<number, number>()
  readonly #slots: (WindowOperation | null)[] = []
  /** Operations that need not take effect and have no slot. */
  readonly #free: WindowOperation[] = []
  #configurations = new Set<number>()
  #left: number

  constructor(window: readonly WindowOperation[], most: number) {
    this.#left = most
    for (const { kind, a, b } of window) {
      this.#numberOf(a)
      if (kind === registerKind.cas) this.#numberOf(b)
    }
  }

  get isSpent(): boolean {
    return this.#left < 0
  }

  /** From one value, or with null from any: each that occurs, and one that does not. */
  start(initial: number | null): void {
    if (initial !== null) this.#configurations.add(this.#numberOf(initial) * bits)
    else for (let value = 0; value <= this.#numbers.size; value += 1) this.#configurations.add(value * bits)
  }

  invoke(operation: WindowOperation): void {
    const isOptional = operation.complete === never
    const optional = this.#slots.filter((open) => open?.complete === never).length
    let slot = this.#slots.indexOf(null)
    if (slot < 0) slot = this.#slots.length
    if (isOptional && (optional >= mostOptional || slot >= mostOpen)) {
      this.#free.push(operation)
      return
    }
    if (slot >= mostOpen) {
      this.#left = -1
      return
    }
    this.#slots[slot] = operation
    if (operation.kind === registerKind.read || operation.kind === registerKind.differs) {
      this.#configurations = new Set(
        Array.from(this.#configurations, (one) => this.#observed(Math.floor(one / bits), one % bits)),
      )
    }
  }

  /** False when in no configuration the operation can have taken effect by now. */
  return(operation: WindowOperation): boolean {
    const slot = this.#slots.indexOf(operation)
    const bit = 1 << slot
    const done = new Set<number>()
    const seen = new Set<number>()
    const pending = [...this.#configurations]
    for (let one = pending.pop(); one !== undefined; one = pending.pop()) {
      if (((one % bits) & bit) !== 0) {
        done.add(one - bit)
        continue
      }
      if (seen.has(one)) continue
      seen.add(one)
      this.#left -= 1
      if (this.#left < 0) return false
      this.#pushNext(one, pending)
    }
    this.#slots[slot] = null
    this.#configurations = done
    return done.size > 0
  }

  #pushNext(one: number, pending: number[]): void {
    const value = Math.floor(one / bits)
    const effective = one % bits
    for (const operation of this.#free) {
      const next = this.#after(operation, value)
      if (next !== none) pending.push(this.#observed(next, effective))
    }
    for (let slot = 0; slot < this.#slots.length; slot += 1) {
      const operation = this.#slots[slot]
      if (!operation || (effective & (1 << slot)) !== 0) continue
      const next = this.#after(operation, value)
      if (next === none || this.#isBehindATwin(operation, effective)) continue
      pending.push(this.#observed(next, effective | (1 << slot)))
    }
  }

  /** The value after the operation; `none` when it changes nothing or cannot take effect. */
  #after({ kind, a, b }: WindowOperation, value: number): number {
    if (kind === registerKind.write) return this.#numberOf(a)
    if (kind === registerKind.cas && this.#numberOf(a) === value) return this.#numberOf(b)
    return none
  }

  /** Whether an open operation that does the same returns earlier. */
  #isBehindATwin(operation: WindowOperation, effective: number): boolean {
    return this.#slots.some(
      (other, slot) =>
        other !== null &&
        (effective & (1 << slot)) === 0 &&
        other.kind === operation.kind &&
        other.a === operation.a &&
        other.b === operation.b &&
        (other.complete < operation.complete ||
          (other.complete === operation.complete && other.index < operation.index)),
    )
  }

  /** The configuration after all open observers that fit have taken effect. */
  #observed(value: number, effective: number): number {
    let observed = effective
    for (let slot = 0; slot < this.#slots.length; slot += 1) {
      const operation = this.#slots[slot]
      if (!operation) continue
      const fits =
        (operation.kind === registerKind.read && this.#numberOf(operation.a) === value) ||
        (operation.kind === registerKind.differs && this.#numberOf(operation.a) !== value)
      if (fits) observed |= 1 << slot
    }
    return value * bits + observed
  }

  #numberOf(value: number): number {
    const known = this.#numbers.get(value)
    if (known !== undefined) return known
    this.#numbers.set(value, this.#numbers.size)
    return this.#numbers.size - 1
  }
}
