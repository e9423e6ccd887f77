import type { Operation } from '../../history/operation.js'
import { AnomalyList } from '../anomaly-list.js'

/** What was found in all keys of a history so far. */
export class Findings {
  readonly losses = new AnomalyList()
  /** Values that are there and that nobody is known to have written. */
  readonly strays = new AnomalyList()
  /** Acknowledged writes that are lost. */
  readonly lost = new Set<Operation>()
  /** Acknowledged writes that are missing and may have been taken out. */
  takenPerhaps = 0
  /** Acknowledged writes that no final read can show. */
  unread = 0
  /** Acknowledged writes that no read asks for. */
  unasked = 0
}
