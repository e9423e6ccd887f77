import { FaultError, messageOf } from '../../errors.js'
import type { Random } from '../../random/random.js'
import { sleep } from '../../time/sleep.js'
import type { FaultWindow } from '../evidence.js'
import type { FaultContext, Nemesis, Target } from '../fault.js'
import { inject, type ActiveFault, type InjectOptions } from '../inject.js'
import type { Draw } from '../resolve.js'
import { AimedFault } from './aimed.js'
import { startAgain } from './start-again.js'
import type { ScheduledFault } from './record.js'
import { TargetsInPlace } from './targets.js'

export interface ScheduleOptions extends Pick<InjectOptions, 'onOpen' | 'onClose'> {
  /** The workload's length: faults without `for` stay until then, and none outlives it. */
  readonly durationMs: number
  /** Aborting heals everything at once. */
  readonly signal: AbortSignal
  /** Random schedules and random targets are drawn from it. */
  readonly random: Random
  /** The id of the next fault, as it is injected. */
  nextId(): string
  /** What a target means now: see `resolveTarget`. */
  resolve(
    target: Target,
    how: { readonly apart: readonly string[]; readonly avoid: readonly string[]; readonly random: Draw },
  ): Promise<readonly string[]>
  /** Resolves to true when the system serves again after random faults; to false when it does not in its time. */
  recovered(signal: AbortSignal): Promise<boolean>
  /** A fault is in place and its landing is decided; before any of its heal. */
  onInjected?(fault: ActiveFault): void
}

/** What a fault must leave alone. */
export interface Restraint {
  /** Nodes that are not its targets, besides those of faults in place. */
  readonly taken: readonly string[]
  readonly keepQuorum: boolean
}

/** How long a fault stays. */
export interface Stay {
  readonly forMs: number
  /** Nanoseconds since the run's start at which it ends at the latest. */
  readonly last: number
  /** Ends it when it aborts. */
  readonly over: AbortSignal | null
}

/** A fault that is in place, with the nodes that are not well under it. */
export interface Fired {
  readonly fault: ActiveFault
  readonly hit: readonly string[]
  /** What its targets that are drawn came to. */
  readonly drawn: ScheduledFault['drawn']
}

/** The faults that a schedule has put in place, and the time that it plays in. */
export class Stage {
  /** Nanoseconds since the run's start. */
  readonly start: number
  readonly end: number
  /** Aborts when the schedule has to end: by its caller, or because a fault failed. */
  readonly signal: AbortSignal
  readonly options: ScheduleOptions
  /** For the reader of the report. */
  readonly remarks: string[] = []
  readonly #context: FaultContext
  readonly #failed = new AbortController()
  readonly #fired: ActiveFault[] = []
  readonly #targets = new TargetsInPlace()
  readonly #errors: unknown[] = []

  constructor(context: FaultContext, options: ScheduleOptions) {
    this.#context = context
    this.options = options
    this.start = context.clock.now()
    this.end = this.start + options.durationMs * 1e6
    this.signal = AbortSignal.any([context.signal, options.signal, this.#failed.signal])
  }

  get nodes(): readonly string[] {
    return this.#context.nodes
  }

  now(): number {
    return this.#context.clock.now()
  }

  /** Waits until a time (ns), at most until the end. */
  async untilTime(time: number, over: AbortSignal | null = null): Promise<void> {
    const signal = over === null ? this.signal : AbortSignal.any([this.signal, over])
    const due = Math.min(time, this.end)
    // A timer may fire a little before its time.
    while (!signal.aborted && this.now() < due) await sleep(Math.ceil((due - this.now()) / 1e6), signal)
  }

  /** Does the work, and starts nodes again that end by themselves meanwhile and are no target of a fault in place. */
  async whileStartingAgain<Result>(nodes: readonly string[], work: () => Promise<Result>): Promise<Result> {
    const done = new AbortController()
    const free = nodes.filter((node) => !this.#targets.nodes.includes(node))
    const starting = startAgain(this.#context.lifecycle, free, AbortSignal.any([this.signal, done.signal]))
    try {
      return await work()
    } finally {
      done.abort()
      this.remarks.push(...(await starting))
    }
  }

  /** Ends the schedule because of an error. */
  fail(error: unknown): void {
    this.#errors.push(error)
    this.#failed.abort()
  }

  /**
   * Injects a fault now; its random targets are drawn from a stream of its own, so that they do not depend on what else
   * is drawn meanwhile. Throws what `inject` throws, and a refusal (`isRefusal`) when the restraint does not
   * allow it or it cannot go in at this moment.
   */
  async fire(nemesis: Nemesis, random: Random, restraint: Restraint | null = null): Promise<Fired> {
    const { nextId, onOpen, onClose, onInjected, resolve } = this.options
    const taken = restraint === null ? [] : [...new Set([...restraint.taken, ...this.#targets.nodes])]
    const key = Symbol(nemesis.definition.name)
    const aimed = new AimedFault(nemesis, {
      resolve: (target, apart = []) => resolve(target, { apart, avoid: taken, random }),
      bounds: restraint === null ? null : { nodes: this.nodes, taken, keepQuorum: restraint.keepQuorum },
      onAim: (hit) => this.#targets.add(key, hit),
    })
    try {
      const context = { ...this.#context, signal: this.signal }
      const fault = await inject(aimed.nemesis, context, {
        id: nextId,
        landBy: this.end,
        onOpen: (window) => onOpen?.(window),
        onClose: (window) => {
          this.#targets.remove(key)
          onClose?.(window)
        },
      })
      this.#fired.push(fault)
      onInjected?.(fault)
      return { fault, hit: aimed.hit, drawn: aimed.drawn }
    } catch (error) {
      this.#targets.remove(key)
      throw aimed.refusal ?? error
    }
  }

  /** Leaves a fault in place for its time, then heals it. What stays until the end is healed with the rest. */
  async keep({ fault }: Fired, { definition }: Nemesis, { forMs, last, over }: Stay): Promise<void> {
    const { window } = fault
    const stays = (window.landed_ts ?? window.injected_ts) + forMs * 1e6
    const healAt = definition.oneShot ? this.now() : Math.min(stays, last)
    await this.untilTime(healAt, over)
    if (this.signal.aborted || (healAt >= this.end && !over?.aborted)) return
    await fault.heal()
  }

  /**
   * Heals what is in place, in reverse order. Resolves to the windows of the faults that were in place, in order of
   * injection. Throws the first error, of this or from before, after all have been tried.
   */
  async close(): Promise<readonly FaultWindow[]> {
    const inOrder = this.#fired.toSorted((a, b) => a.window.injected_ts - b.window.injected_ts)
    for (const fault of inOrder.toReversed()) {
      await fault.heal().catch((error: unknown) => this.#errors.push(error))
    }
    const [first, ...others] = this.#errors
    if (others.length > 0) {
      throw new FaultError('faults', [first, ...others].map(messageOf).join('\n'), { cause: first })
    }
    if (first !== undefined) throw first
    return inOrder.map(({ window }) => window)
  }
}
