import type { Operation } from '../../history/operation.js'
import type { ValueKey } from '../queues/value-key.js'

/** All that a history tells of one thing that was to be done once: its attempts and the effects that were seen. */
export interface Deed {
  /** Its business key. */
  readonly id: ValueKey
  /** Attempts that were acknowledged, by invocation. */
  readonly acknowledged: Operation[]
  /** Attempts of unknown outcome. */
  readonly unknown: Operation[]
  /** Attempts that certainly did nothing. */
  readonly failed: Operation[]
  /** One operation for each different effect that was seen. */
  readonly effects: Operation[]
}

/** A deed of which nothing is known yet. */
export function newDeed(id: ValueKey): Deed {
  return { id, acknowledged: [], unknown: [], failed: [], effects: [] }
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
