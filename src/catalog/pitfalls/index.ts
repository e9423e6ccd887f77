import type { Pitfall } from '../pitfall.js'
import { changeAndIdentity } from './change-and-identity.js'
import { delivery } from './delivery.js'
import { durability } from './durability.js'
import { replication } from './replication.js'
import { timeAndLeases } from './time-and-leases.js'

/** The sixteen, by what they are about. */
export const pitfalls: readonly Pitfall[] = [
  ...replication,
  ...durability,
  ...timeAndLeases,
  ...changeAndIdentity,
  ...delivery,
]
