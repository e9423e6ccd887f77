import { perKey, type Player, type Setting } from '../player.js'

/** How long a lease lasts, as every acquire and renew asks for: some twenty operations. */
const ttlMs = 2

/**
 * A lease that its holder renews and gives back, and that others are granted when it has run out. The time to live counts
 * from the moment at which the acquire or renew takes effect.
 */
export function leases(setting: Setting): Player {
  return perKey(setting, (key) => {
    let holder: number | null = null
    let endsAt = 0
    let token = 0
    /** Processes that were granted the lease and were not told since that they have lost it. */
    const believers = new Set<number>()

    return {
      draw({ random, process, outcome }) {
        if (!believers.has(process)) return { type: 'acquire', key, input: { ttlMs } }
        const isRenewal = random.int(0, 2) > 0
        if (!isRenewal && outcome === 'ok') believers.delete(process)
        return isRenewal ? { type: 'renew', key, input: { ttlMs } } : { type: 'release', key, input: null }
      },
      answer({ type }, { process, now, outcome }) {
        const runs = holder !== null && now < endsAt
        if (type === 'acquire') {
          if (runs) return false
          holder = process
          token += 1
        } else if (!runs || holder !== process) {
          believers.delete(process)
          return false
        } else if (type === 'release') {
          holder = null
          return true
        }
        endsAt = now + ttlMs * 1_000_000
        if (outcome === 'ok') believers.add(process)
        return { token }
      },
    }
  })
}
