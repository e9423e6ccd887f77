import { outcomeOf } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { answering } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { grouped } from '../../../checkers/grouped.js'

/** Acknowledged appends that were told their offset, for each log. */
const answered = perHistory(({ operations }) => {
  const told = operations.filter(
    (operation) =>
      operation.op_type === 'append' &&
      outcomeOf(operation) === 'ok' &&
      offsetIn(operation.output) !== null &&
      operation.output !== operation.input,
  )
  return [...grouped(told, ({ key }) => key).values()].filter((appends) => appends.length > 1)
})

/** Two appends are told the same offset. */
export const offsetReused: Mutation = {
  name: 'offset-reused',
  about: 'a new leader gives out an offset again, and one record overwrites the other',
  draw(history, random) {
    return drawFrom(answered(history), random, (appends) =>
      drawFrom(appends, random, (append) => {
        const other = random.pick(appends)
        const offset = offsetIn(other.output)
        // An answer that repeats the input would say nothing.
        if (other === append || offset === null || offset === append.input) return null
        const output = typeof append.output === 'number' ? offset : { ...(append.output as object), offset }
        const what =
          `append (operation ${JSON.stringify(append.op_id)}) answers offset ${offset}, which ` +
          `operation ${JSON.stringify(other.op_id)} was given`
        return answering(history, { operation: append, output, what })
      }),
    )
  },
}

function offsetIn(output: Json): number | null {
  const offset =
    typeof output === 'object' && output !== null && !Array.isArray(output) ? output['offset'] : output
  return typeof offset === 'number' && Number.isInteger(offset) && offset >= 0 ? offset : null
}
