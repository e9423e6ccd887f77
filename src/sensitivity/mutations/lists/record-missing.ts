import { shown } from '../../../checkers/words.js'
import { canonical } from '../../../models/canonical.js'
import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { listHistories, named } from './lists.js'

/** A read of the whole list does not see a record that was acknowledged before it began. */
export const recordMissing: Mutation = {
  name: 'record-missing',
  about: 'an acknowledged record is lost, or a replica that lags behind answers',
  draw(history, random) {
    return drawFrom(listHistories(history), random, (list) =>
      drawFrom(list.reads, random, (read) =>
        drawFrom([...read.list.keys()], random, (place) => {
          const append = list.appends.get(canonical(read.list[place] ?? null))
          if (append === undefined || !isBefore(append.operation, read.operation)) return null
          const what =
            `${named(read)} does not see ${shown(append.value)}, whose ${named(append)} was acknowledged ` +
            'before it began'
          const mutated = read.seeing(read.list.filter((_, index) => index !== place))
          return changed(history, { what, replace: new Map([[read.operation, mutated]]) })
        }),
      ),
    )
  },
}

function isBefore(
  first: { readonly complete_ts: number | null },
  second: { readonly invoke_ts: number },
): boolean {
  return first.complete_ts !== null && first.complete_ts < second.invoke_ts
}
