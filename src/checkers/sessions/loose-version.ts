import type { Operation } from '../../history/operation.js'
import { tell } from '../words.js'

/** Why nothing can be said when it is not known which version a write has: see `Places.loose`. */
export function looseVersion(write: Operation): string {
  return `the version of ${tell(write)} is not known: its value was read with several, or written more than once; let writes answer { version }, or write distinct values`
}
