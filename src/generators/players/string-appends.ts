import { perKey, type Player, type Setting } from '../player.js'

/** Longer strings are replaced rather than appended to. */
const longest = 100

/** A string a key that is read, appended to and replaced. */
export function stringAppends(setting: Setting): Player {
  const init = String(setting.semantics.init ?? '')
  return perKey(setting, (key) => {
    let text = init
    return {
      draw({ random, fresh }) {
        const percent = random.int(0, 99)
        if (percent < 45) return { type: 'get', key, input: null }
        const type = percent < 90 && text.length < longest ? 'append' : 'put'
        return { type, key, input: `${fresh()} ` }
      },
      answer({ type, input }) {
        if (type === 'get') return text
        text = type === 'put' ? String(input) : text + String(input)
        return null
      },
    }
  })
}
