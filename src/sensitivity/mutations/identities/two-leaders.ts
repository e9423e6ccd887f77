import { shown } from '../../../checkers/words.js'
import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { CleanHistory, Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'

/** An operation that saw who leads in a term. */
interface Sighting {
  readonly operation: Operation
  readonly output: Readonly<Record<string, Json>>
}

const sightings = perHistory(({ operations }: CleanHistory): readonly Sighting[] =>
  operations.flatMap((operation) => {
    const { output } = operation
    const isSighting =
      outcomeOf(operation) === 'ok' &&
      typeof output === 'object' &&
      output !== null &&
      !Array.isArray(output) &&
      (output['leader'] ?? null) !== null &&
      (output['term'] ?? null) !== null
    return isSighting ? [{ operation, output }] : []
  }),
)

/** Another operation sees another leader in the same term. */
export const twoLeaders: Mutation = {
  name: 'two-leaders',
  about: 'both sides of a partition elect a leader, and neither counts the votes right',
  draw(history, random) {
    return drawFrom(sightings(history), random, ({ operation, output }) => {
      const leader = `another than ${String(output['leader'])}`
      const twin = {
        ...operation,
        op_id: `${operation.op_id} again`,
        process_id: `${operation.process_id} again`,
        output: { ...output, leader },
      }
      const what =
        `another ${operation.op_type} beside operation ${JSON.stringify(operation.op_id)} sees ` +
        `${shown(leader)} lead in term ${shown(output['term'] ?? null)} too`
      return changed(history, { what, insert: [twin] })
    })
  },
}
