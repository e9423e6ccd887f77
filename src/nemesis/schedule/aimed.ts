import { FaultError } from '../../errors.js'
import type { FaultContext, InjectContext, Nemesis, Target } from '../fault.js'
import { isDrawn } from '../resolve.js'
import type { ScheduledFault } from './record.js'
import { Aim, requireFree, requireWithin, type Bounds } from './targets.js'

export interface AimedOptions {
  /** What a target means now. */
  readonly resolve: FaultContext['resolve']
  /** What the fault must leave alone; null when it may take anything. */
  readonly bounds: Omit<Bounds, 'oneByOne'> | null
  /** Called with the nodes that are not well under the fault, right before it goes in. */
  onAim(hit: readonly string[]): void
}

/** A fault whose targets are seen while it resolves them, and which is stopped before its first change if it may not have them. */
export class AimedFault {
  /** The fault as it is to be injected. */
  readonly nemesis: Nemesis
  /** What stopped it (`isRefusal`); null when nothing did. */
  refusal: FaultError | null = null
  /** What its targets that are drawn came to. */
  readonly drawn: ScheduledFault['drawn'] = []
  readonly #aim = new Aim()
  readonly #options: AimedOptions
  #goesIn = false

  constructor(nemesis: Nemesis, options: AimedOptions) {
    this.#options = options
    const { definition } = nemesis
    this.nemesis = {
      ...nemesis,
      definition: {
        ...definition,
        inject: async (context, given) => {
          try {
            return await definition.inject(this.#seeing(context, nemesis), given)
          } catch (error) {
            if (!this.#goesIn) this.#hinder(error)
            throw error
          }
        },
      },
    }
  }

  /** Nodes that are not well under it. */
  get hit(): readonly string[] {
    return this.#aim.hit
  }

  #seeing(context: InjectContext, { definition: { oneByOne = false } }: Nemesis): InjectContext {
    const { resolve, bounds, onAim } = this.#options
    return {
      ...context,
      resolve: async (target, apart = []) => {
        try {
          const names = await resolve(target, apart)
          // Before baselines are read: a node that another fault has taken has none. What is asked for later only follows events.
          if (!this.#goesIn && apart.length === 0) requireFree(names, bounds?.taken ?? [])
          this.#aim.resolved(names, apart)
          if (isDrawn(target)) this.drawn.push({ target: copyOf(target), nodes: [...names] })
          return names
        } catch (error) {
          return this.#refuse(error)
        }
      },
      injecting: () => {
        try {
          if (bounds !== null && !this.#goesIn) requireWithin(this.hit, { ...bounds, oneByOne })
        } catch (error) {
          this.#refuse(error)
        }
        this.#goesIn = true
        onAim(this.hit)
        context.injecting()
      },
    }
  }

  /** Before its first change a fault may fail because of another one in place: a node that it asks does not answer. */
  #hinder(error: unknown): void {
    if (this.refusal !== null || !(error instanceof FaultError)) return
    const amongOthers = (this.#options.bounds?.taken.length ?? 0) > 0
    const hindered = amongOthers ? new FaultError('not-now', error.summary, { cause: error }) : null
    this.refusal = isRefusal(error) ? error : hindered
  }

  #refuse(error: unknown): never {
    if (isRefusal(error)) this.refusal = error
    throw error
  }
}

/**
 * True for a FaultError that says that a fault may not go in (`envelope`), or cannot at this moment (`not-now`): nobody
 * leads while another fault has the leader, for instance.
 */
export function isRefusal(error: unknown): error is FaultError {
  return error instanceof FaultError && (error.code === 'envelope' || error.code === 'not-now')
}

function copyOf(target: Target): string | string[] {
  return typeof target === 'string' ? target : [...target]
}
