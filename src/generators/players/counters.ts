import { perKey, type Player, type Setting } from '../player.js'

/** In percent. */
const reads = 40
const answeredAdds = 15

/**
 * Counters that go by ones, each of one of two kinds, so that a checker has something to hold on to: one that only grows and
 * whose adds now and then answer the value, or one that goes up and down.
 */
export function counters(setting: Setting): Player {
  const init = Number(setting.semantics.init ?? 0)
  return perKey(setting, (key) => {
    const other = setting.random.int(0, 1) === 0 ? 'add-and-get' : 'dec'
    let count = init
    return {
      draw({ random }) {
        const percent = random.int(0, 99)
        if (percent < reads) return { type: 'read', key, input: null }
        return { type: percent < reads + answeredAdds ? other : 'inc', key, input: 1 }
      },
      answer({ type }) {
        if (type === 'read') return count
        count += type === 'dec' ? -1 : 1
        return type === 'add-and-get' ? count : null
      },
    }
  })
}
