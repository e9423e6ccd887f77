import { shown } from '../../../checkers/words.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { unwrittenLike } from '../../unwritten.js'
import { answeringFinally, finalKeys, under } from './final-reads.js'

/** The final state has a value that nobody wrote. */
export const finalUnwritten: Mutation = {
  name: 'final-unwritten',
  about: 'a stored value is corrupted, or comes from elsewhere',
  draw(history, random) {
    return drawFrom(finalKeys(history), random, ({ key, writes, isCollection, initial }) => {
      const [first] = writes
      const known = new Set([initial, ...writes.map(({ value }) => value)])
      const unwritten = first === undefined ? undefined : unwrittenLike(JSON.parse(first.value), known)
      if (unwritten === undefined) return null
      return answeringFinally(history, {
        key,
        what: `${shown(unwritten)} is there ${under(key)}, which nobody wrote`,
        answer: ({ value }) =>
          isCollection ? [...(Array.isArray(value) ? value : [value]), unwritten] : unwritten,
      })
    })
  },
}
