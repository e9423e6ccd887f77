import type { Json } from '../json.js'
import type { Checker } from './checker.js'
import { invariant } from './invariant.js'
import { linearizable } from './linearizability/linearizable.js'
import { noLostAck } from './no-lost-ack/no-lost-ack.js'
import { sequential } from './sequential/sequential.js'

/** What an index or a command line says of a history for its checkers. */
export interface NamedOptions {
  /** See `SequentialOptions`. */
  readonly sessionOrder?: boolean
  /** Parameters of the checker by the names of its options, such as thresholds. */
  readonly params?: Readonly<Record<string, Json>>
}

/** A checker that ships with the product. */
export interface CatalogEntry {
  /** The function that makes it. */
  readonly factory: string
  /** One of its kind, for its name, pattern, needs and scope. */
  readonly example: () => Checker
  /**
   * Makes one that judges a recorded history alone, with nothing read from a live system; left out when there is none.
   * Throws DeclarationError when the parameters are wrong.
   */
  readonly recorded?: (options: NamedOptions) => Checker
}

const unread = async () => null

/** Every checker, in the order of the documentation. */
export const catalog: readonly CatalogEntry[] = [
  { factory: 'linearizable', example: linearizable, recorded: () => linearizable() },
  { factory: 'sequential', example: sequential, recorded: (options) => sequential(options) },
  { factory: 'noLostAck', example: () => noLostAck({ final: unread }) },
  { factory: 'invariant', example: () => invariant('what must hold', { holds: () => true }) },
]
