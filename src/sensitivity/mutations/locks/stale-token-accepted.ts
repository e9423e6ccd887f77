import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { changed } from '../../change.js'
import { drawSuccessors } from '../../draw.js'
import type { CleanHistory, Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { grouped } from '../../../checkers/grouped.js'

const aboutTheLock: ReadonlySet<string> = new Set(['acquire', 'renew', 'release'])
/** Accepted operations that carry a token, for each guarded object, in order of invocation. */
const uses = perHistory(({ operations }: CleanHistory): readonly (readonly Operation[])[] => {
  const accepted = operations.filter(
    (operation) =>
      !aboutTheLock.has(operation.op_type) &&
      operation.output !== false &&
      outcomeOf(operation) === 'ok' &&
      tokenIn(operation.input) !== null,
  )
  return [...grouped(accepted, ({ key }) => key).values()]
})

/** What a lock guards accepts an operation with an older token than one that it had accepted. */
export const staleTokenAccepted: Mutation = {
  name: 'stale-token-accepted',
  about: 'a holder that was paused goes on after its lease has run out, and nothing stops it',
  draw(history, random) {
    return drawSuccessors(uses(history), random, (first, second) => {
      const before = tokenIn(first.input)
      if (before === null) return null
      const mutated = { ...second, input: { ...(second.input as object), token: before - 1 } }
      const what =
        `${second.op_type} (operation ${JSON.stringify(second.op_id)}) is accepted with token ${before - 1}, ` +
        `although operation ${JSON.stringify(first.op_id)} had been accepted with ${before}`
      return changed(history, { what, replace: new Map([[second, mutated]]) })
    })
  },
}

function tokenIn(input: Json): number | null {
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  const token = isObject ? input['token'] : null
  return typeof token === 'number' ? token : null
}
