import type { Operation } from '../../history/operation.js'
import type { ModelOperation } from '../../models/model.js'

/** An operation as the search sees it. `invoke` and `complete` are ranks of events in its partition, all distinct. */
export interface Call {
  readonly operation: Operation
  readonly seen: ModelOperation
  readonly invoke: number
  /** Infinity when the outcome is unknown: it may take effect at any time after `invoke`, or never. */
  readonly complete: number
  /** Never changes a state. */
  readonly observer: boolean
}

/** The calls of one object in order of invocation. */
export interface Partition {
  /** Null when there is no key, or when the model judges all keys together. */
  readonly key: string | number | null
  readonly calls: readonly Call[]
}
