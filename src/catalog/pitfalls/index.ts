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

/** The pitfalls of these ids, in their order. Throws when there is none of an id. */
export function pitfallsNamed(ids: readonly string[]): readonly Pitfall[] {
  return ids.map((id) => {
    const pitfall = pitfalls.find((one) => one.id === id)
    if (pitfall === undefined) throw new Error(`there is no pitfall ${id}`)
    return pitfall
  })
}
