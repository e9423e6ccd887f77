import { shown } from '../../../checkers/words.js'
import { answering } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { stringHistories } from './strings.js'

/** A read sees a text that nobody wrote or appended. */
export const textUnknown: Mutation = {
  name: 'text-unknown',
  about: 'a value is corrupted, or comes from elsewhere',
  draw(history, random) {
    const initial = String(history.model?.semantics.init ?? '')
    return drawFrom(stringHistories(history), random, ({ reads, texts }) => {
      // A single character, so that no two texts one after the other can make it.
      let code = '?'.codePointAt(0) as number
      const isKnown = (mark: string) => initial.includes(mark) || texts.some((text) => text.includes(mark))
      while (isKnown(String.fromCodePoint(code))) code += 1
      const mark = String.fromCodePoint(code)
      return drawFrom(reads, random, (read) => {
        const output = read.output + mark
        const what =
          `${read.op_type} (operation ${JSON.stringify(read.op_id)}) sees ${shown(mark)} at the end, which ` +
          'nobody appended'
        return answering(history, { operation: read, output, what })
      })
    })
  },
}
