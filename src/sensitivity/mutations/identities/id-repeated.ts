import { shown } from '../../../checkers/words.js'
import { outcomeOf } from '../../../history/operation.js'
import { answering } from '../../change.js'
import { drawFrom } from '../../draw.js'
import { grouped } from '../../../checkers/grouped.js'
import type { CleanHistory, Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'

const generated = perHistory(({ operations }: CleanHistory) => {
  const ids = operations.filter(
    (operation) =>
      operation.op_type === 'generate' && outcomeOf(operation) === 'ok' && operation.output !== null,
  )
  return [...grouped(ids, ({ key }) => key).values()].filter((its) => its.length > 1)
})

/** An id is given out twice. */
export const idRepeated: Mutation = {
  name: 'id-repeated',
  about: 'two nodes draw ids from one range, as after a clock that went back',
  draw(history, random) {
    return drawFrom(generated(history), random, (its) => {
      const [first, second] = random.shuffle(its)
      if (first === undefined || second === undefined) return null
      const what =
        `generate (operation ${JSON.stringify(second.op_id)}) answers ${shown(first.output)}, as ` +
        `operation ${JSON.stringify(first.op_id)} does`
      return answering(history, { operation: second, output: first.output, what })
    })
  },
}
