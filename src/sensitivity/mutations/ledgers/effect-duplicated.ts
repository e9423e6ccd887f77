import { shown } from '../../../checkers/words.js'
import { changed } from '../../change.js'
import type { Mutation } from '../../mutation.js'

/** The system shows one effect twice at quiescence. */
export const effectDuplicated: Mutation = {
  name: 'effect-duplicated',
  about: 'a request that was sent again takes effect again',
  draw(history, random) {
    const { collected } = history
    if (!Array.isArray(collected) || collected.length === 0) return null
    if (collected.some((key) => typeof key !== 'string' && typeof key !== 'number')) return null
    const key = random.pick(collected)
    const what = `${shown(key)} took effect twice`
    return { ...changed(history, { what }), collected: [...collected, key] }
  },
}
