import type { Player, Setting } from '../player.js'

/**
 * Locks and semaphores. A process that asks for a permit waits until one is free, and gives it back before it asks for
 * another. Nobody dies with a permit: an acquire without an answer was not granted, a release without one happens.
 */
export function permits({ semantics, keys }: Setting): Player {
  const free = new Map(keys.map((key) => [key, Number(semantics.init)]))
  /** The key whose permit a process has or waits for, until it asks to give it back. */
  const keyOf = new Map<number, string | null>()

  return {
    draw({ random, process, outcome, remaining }) {
      // Every permit that is asked for needs an operation to give it back, lest those who wait are never served.
      const room = remaining - keyOf.size
      const key = keyOf.get(process)
      if (key !== undefined) {
        const release = { type: 'release', key, input: null, unanswered: 'happens' } as const
        if (outcome === 'failed' && room > 0) return release
        keyOf.delete(process)
        return { ...release, mayFail: false }
      }
      const isLast = remaining === 1 && keyOf.size === 0
      if (room < (outcome === 'ok' ? 2 : 1) && !isLast) return null
      const wanted = random.pick(keys)
      if (outcome === 'ok') keyOf.set(process, wanted)
      return { type: 'acquire', key: wanted, input: null, unanswered: 'never' }
    },
    answer({ type, key }) {
      const left = free.get(key) ?? 0
      if (type === 'acquire' && left === 0) return undefined
      free.set(key, type === 'acquire' ? left - 1 : left + 1)
      return true
    },
  }
}
