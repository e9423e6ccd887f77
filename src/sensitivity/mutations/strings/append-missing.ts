import { shown } from '../../../checkers/words.js'
import { outcomeOf } from '../../../history/operation.js'
import { answering } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { stringHistories } from './strings.js'

/** A read does not see a text that was acknowledged before it began. */
export const appendMissing: Mutation = {
  name: 'append-missing',
  about: 'an acknowledged append is lost, or a replica that lags behind answers',
  draw(history, random) {
    return drawFrom(stringHistories(history), random, (string) =>
      drawFrom([...string.appends], random, ([text, append]) => {
        if (text === '' || outcomeOf(append) !== 'ok') return null
        return drawFrom(string.reads, random, (read) => {
          if ((append.complete_ts ?? Infinity) >= read.invoke_ts || !read.output.includes(text)) return null
          const output = read.output.replace(text, '')
          if (output.includes(text)) return null
          const what =
            `${read.op_type} (operation ${JSON.stringify(read.op_id)}) does not see ${shown(text)}, which ` +
            `operation ${JSON.stringify(append.op_id)} had appended before it began`
          return answering(history, { operation: read, output, what })
        })
      }),
    )
  },
}
