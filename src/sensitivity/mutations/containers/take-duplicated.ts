import { shown } from '../../../checkers/words.js'
import { answering } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { containerHistories, named, takenBy } from './elements.js'

/** Two takes give out an element that was put in once. */
export const takeDuplicated: Mutation = {
  name: 'take-duplicated',
  about: 'an element is delivered again, such as after an acknowledgement that was lost',
  draw(history, random) {
    return drawFrom(containerHistories(history), random, (container) => {
      if (container.takes.length < 2) return null
      return drawFrom(container.takes, random, (take) => {
        const element = takenBy(container, take)
        const other = random.pick(container.takes)
        if (element === null || other === take) return null
        return answering(history, {
          operation: other,
          output: take.output,
          what: `${named(other)} answers ${shown(element.value)}, put in once and given out by ${named(take)}`,
        })
      })
    })
  },
}
