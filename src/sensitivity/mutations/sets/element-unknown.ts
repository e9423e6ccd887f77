import { shown } from '../../../checkers/words.js'
import { answering, changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { unwrittenLike } from '../../unwritten.js'
import { named, setHistories } from './sets.js'

/** A read, or a question for it, finds an element that nobody added. */
export const elementUnknown: Mutation = {
  name: 'element-unknown',
  about: 'an element is corrupted, or comes from elsewhere',
  draw(history, random) {
    return drawFrom(setHistories(history), random, (set) => {
      const inRead = () =>
        drawFrom(set.reads, random, (read) => {
          const [first] = set.known
          const example = read.elements.at(-1) ?? (first === undefined ? null : JSON.parse(first))
          const element = unwrittenLike(example, set.known)
          if (element === undefined) return null
          const what = `${named(read.operation)} sees ${shown(element)}, which nobody added`
          return answering(history, {
            operation: read.operation,
            output: read.answer([...read.elements, element]),
            what,
          })
        })
      const inQuestion = () =>
        drawFrom(set.questions, random, (question) => {
          const input = unwrittenLike(question.input, set.known)
          if (input === undefined) return null
          const what = `${named(question)} answers true for ${shown(input)}, which nobody added`
          return changed(history, {
            what,
            replace: new Map([[question, { ...question, input, output: true }]]),
          })
        })
      return random.int(0, 1) === 0 ? (inRead() ?? inQuestion()) : (inQuestion() ?? inRead())
    })
  },
}
