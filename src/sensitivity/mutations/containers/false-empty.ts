import { shown } from '../../../checkers/words.js'
import { answering } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { containerHistories, named, takenBy } from './elements.js'
import { end, orderOf } from './order.js'

/** How many takes after one are considered. */
const nearest = 12

/** A take finds nothing while an element is there. */
export const falseEmpty: Mutation = {
  name: 'false-empty',
  about: 'a replica that has not caught up answers that there is nothing',
  draw(history, random) {
    if (orderOf(history.model) === null || history.model?.semantics.nullRead === 'unknown') return null
    return drawFrom(containerHistories(history), random, (container) =>
      drawFrom([...container.takes.keys()], random, (place) => {
        const take = container.takes[place]
        if (take === undefined) return null
        return drawFrom(container.takes.slice(place + 1, place + 1 + nearest), random, (later) => {
          const present = takenBy(container, later)
          const isThere = present !== null && end(present.put) < take.invoke_ts && end(take) < later.invoke_ts
          if (!isThere) return null
          return answering(history, {
            operation: take,
            output: null,
            what:
              `${named(take)} finds nothing, although ${shown(present.value)} was put in before and taken out ` +
              `by ${named(later)} only afterwards`,
          })
        })
      }),
    )
  },
}
