import { shown } from '../../../checkers/words.js'
import { changed } from '../../change.js'
import { countBefore, drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { containerHistories, named, takenBy } from './elements.js'
import { end } from './order.js'

/** How many takes after one are considered. */
const nearest = 24

/** Two elements of one producer, put in one after the other, come out the other way round. */
export const producerOvertaken: Mutation = {
  name: 'producer-overtaken',
  about: 'elements of one producer overtake each other, such as when one is sent again',
  draw(history, random) {
    return drawFrom(containerHistories(history), random, (container) =>
      drawFrom(container.takes, random, (first) => {
        const leaving = takenBy(container, first)
        if (leaving === null) return null
        const from = countBefore(container.takes, end(first) + 1, ({ invoke_ts: invoked }) => invoked)
        return drawFrom(container.takes.slice(from, from + nearest), random, (second) => {
          const next = takenBy(container, second)
          const isInOrder =
            next !== null &&
            next.put.process_id === leaving.put.process_id &&
            end(leaving.put) < next.put.invoke_ts
          if (!isInOrder) return null
          const what =
            `${named(first)} answers ${shown(next.value)} and ${named(second)} afterwards ` +
            `${shown(leaving.value)}, which the same process had put in first`
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
