import { shown } from '../../../checkers/words.js'
import { changed } from '../../change.js'
import { countBefore, drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { containerHistories, named, takenBy } from './elements.js'
import { end, orderOf } from './order.js'

/** How many takes after one are considered. */
const nearest = 12

/** Two takes, one after the other, give out their elements in the wrong order. */
export const takesSwapped: Mutation = {
  name: 'takes-swapped',
  about: 'elements overtake each other on their way out',
  draw(history, random) {
    const before = orderOf(history.model)
    if (before === null) return null
    return drawFrom(containerHistories(history), random, (container) =>
      drawFrom(container.takes, random, (first) => {
        const leaving = takenBy(container, first)
        if (leaving === null) return null
        const from = countBefore(container.takes, end(first) + 1, ({ invoke_ts: invoked }) => invoked)
        return drawFrom(container.takes.slice(from, from + nearest), random, (second) => {
          const next = takenBy(container, second)
          if (next === null || !before(leaving, next, first)) return null
          const what =
            `${named(first)} answers ${shown(next.value)} and ${named(second)} afterwards ` +
            `${shown(leaving.value)}, which had to leave first`
          return changed(history, {
            what,
            replace: new Map([
              [first, { ...first, output: second.output }],
              [second, { ...second, output: first.output }],
            ]),
          })
        })
      }),
    )
  },
}
