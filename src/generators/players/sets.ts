import type { Json } from '../../json.js'
import { perKey, type Player, type Setting } from '../player.js'

/** Elements to remove or look for are among so many that came last. */
const recent = 64

/**
 * Sets, each of one of two kinds, so that a checker has something to hold on to: one whose elements come and go and are
 * looked for, or one that grows and is read as a whole.
 */
export function sets(setting: Setting): Player {
  return perKey(setting, (key) => (setting.random.int(0, 1) === 0 ? changingSet : growingSet)(setting, key))
}

function changingSet({ semantics }: Setting, key: string | null): Player {
  const elements = [...((semantics.init ?? []) as readonly Json[])]
  const present = new Set(elements)
  return {
    draw({ random, fresh }) {
      const percent = random.int(0, 99)
      if (percent < 40 || elements.length === 0) {
        const element = fresh()
        elements.push(element)
        return { type: 'add', key, input: element }
      }
      const input = elements[random.int(Math.max(0, elements.length - recent), elements.length - 1)] ?? null
      return { type: percent < 60 ? 'remove' : 'contains', key, input }
    },
    answer({ type, input }) {
      if (type === 'contains') return present.has(input)
      if (type === 'remove') return present.delete(input)
      present.add(input)
      return true
    },
  }
}

function growingSet({ semantics }: Setting, key: string | null): Player {
  const elements = [...((semantics.init ?? []) as readonly Json[])]
  let seen: Json[] = []
  return {
    draw({ random, fresh }) {
      // The larger it is the rarer are reads: else their answers would grow with the square of the history.
      const isRead = random.int(0, Math.max(2, elements.length >> 3)) === 0
      return isRead ? { type: 'read', key, input: null } : { type: 'add', key, input: fresh() }
    },
    answer({ type, input }) {
      if (type === 'read') {
        if (seen.length !== elements.length) seen = [...elements]
        return seen
      }
      elements.push(input)
      return true
    },
  }
}
