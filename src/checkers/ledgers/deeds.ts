import type { Operation } from '../../history/operation.js'
import type { ValueKey } from '../queues/value-key.js'

const nothing: readonly Operation[] = []

/**
 * All that a history tells of one thing that was to be done once: its attempts and the effects that were seen. There may be
 * a million of them, most with one attempt, so a list is made when there is something in it.
 */
export class Deed {
  /** Its business key. */
  readonly id: ValueKey
  /** Attempts that were acknowledged, by invocation. */
  acknowledged = nothing
  /** Attempts of unknown outcome. */
  unknown = nothing
  /** Attempts that certainly did nothing. */
  failed = nothing
  /** One operation for each different effect that was seen. */
  effects = nothing

  constructor(id: ValueKey) {
    this.id = id
  }

  note(list: 'acknowledged' | 'unknown' | 'failed' | 'effects', operation: Operation): void {
    if (this[list] === nothing) this[list] = [operation]
    else (this[list] as Operation[]).push(operation)
  }
}

/** What was found of the deeds of one kind, such as those of one queue. */
export interface DeedsFound {
  readonly deeds: readonly Deed[]
  /** Acknowledged deeds that certainly had no effect, with what shows it. */
  readonly lost: readonly Loss[]
  /** Acknowledged deeds of which it is not known whether they had an effect. */
  readonly pending: number
  /** Deeds of which it is not known whether they had more than one effect. */
  readonly doubtful: number
}

export interface Loss {
  readonly deed: Deed
  /** Continues "although". */
  readonly although: string
  /** Operations that show it, besides the acknowledged attempt. */
  readonly proof: readonly Operation[]
}
