import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { answering } from '../../change.js'
import { drawSuccessors } from '../../draw.js'
import type { CleanHistory, Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { grouped } from '../../../checkers/grouped.js'

/** Grants that answered with a token, for each lock, in order of invocation. */
const grants = perHistory(({ operations }: CleanHistory): readonly (readonly Operation[])[] => {
  const told = operations.filter(
    (operation) =>
      operation.op_type === 'acquire' &&
      outcomeOf(operation) === 'ok' &&
      tokenIn(operation.output) !== null &&
      operation.output !== operation.input,
  )
  return [...grouped(told, ({ key }) => key).values()]
})

/** A later grant to another process has no higher fencing token. */
export const tokenNotGrowing: Mutation = {
  name: 'token-not-growing',
  about: 'a lock service forgets its counter, so that an old holder cannot be told from the new one',
  draw(history, random) {
    return drawSuccessors(grants(history), random, (first, second) => {
      const before = tokenIn(first.output)
      if (before === null || second.process_id === first.process_id) return null
      const token = before - random.int(0, 1)
      if (token === second.input) return null
      const output = typeof second.output === 'number' ? token : { ...(second.output as object), token }
      const what =
        `acquire (operation ${JSON.stringify(second.op_id)}) is given token ${token}, although ` +
        `operation ${JSON.stringify(first.op_id)} had been given ${before}`
      return answering(history, { operation: second, output, what })
    })
  },
}

function tokenIn(output: Json): number | null {
  const token =
    typeof output === 'object' && output !== null && !Array.isArray(output) ? output['token'] : output
  return typeof token === 'number' ? token : null
}
