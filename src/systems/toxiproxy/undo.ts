import { EnvironmentError, FaultError } from '../../errors.js'
import { ToxiproxyClient } from './client.js'
import { isToxicName, type ToxicPlace } from './toxic.js'

/**
 * Takes toxics away. Returns how many were there. One that is gone counts as taken away, and so do all when the server
 * is: it keeps them in memory only. Throws EnvironmentError when the server is there and does not answer,
 * FaultError for a name that is not ours: a damaged journal must not be able to name anything else.
 */
export async function removeToxics(url: string, places: readonly ToxicPlace[]): Promise<number> {
  const strange = places.find(({ toxic }) => !isToxicName(toxic))
  if (strange !== undefined) throw new FaultError('undo', `${strange.toxic} is no toxic of a run`)
  const client = new ToxiproxyClient(url)
  let removed = 0
  try {
    for (const place of places) if (await client.removeToxic(place)) removed += 1
  } catch (error) {
    if (error instanceof EnvironmentError && error.summary.includes('ECONNREFUSED')) return removed
    throw error
  }
  return removed
}
