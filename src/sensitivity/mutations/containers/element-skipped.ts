import { shown } from '../../../checkers/words.js'
import { changed } from '../../change.js'
import { countBefore, drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { containerHistories, named, takenBy } from './elements.js'
import { end, orderOf } from './order.js'

/** How many takes after one are considered. */
const nearest = 12

/** An element is never given out, although one that had to leave after it is. */
export const elementSkipped: Mutation = {
  name: 'element-skipped',
  about: 'an acknowledged element is lost, and the container goes on without it',
  draw(history, random) {
    const before = orderOf(history.model)
    if (before === null) return null
    return drawFrom(containerHistories(history), random, (container) =>
      drawFrom(container.hasBlindTakes ? [] : container.takes, random, (dropped) => {
        const lost = takenBy(container, dropped)
        if (lost === null) return null
        const from = countBefore(container.takes, end(dropped) + 1, ({ invoke_ts: invoked }) => invoked)
        return drawFrom(container.takes.slice(from, from + nearest), random, (take) => {
          const next = takenBy(container, take)
          if (next === null || !before(lost, next, take)) return null
          const what =
            `${shown(lost.value)} is never given out (${named(dropped)} is left out), although ` +
            `${named(take)} gives out ${shown(next.value)}, which had to leave later`
          return changed(history, { what, replace: new Map([[dropped, null]]) })
        })
      }),
    )
  },
}
