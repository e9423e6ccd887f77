import { shown } from '../../../checkers/words.js'
import { canonical } from '../../../models/canonical.js'
import { answering } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { named, setHistories } from './sets.js'

/** A read, or a question for it, does not find an element that was acknowledged before it began. */
export const elementMissing: Mutation = {
  name: 'element-missing',
  about: 'an acknowledged element is not there, such as on a replica that lags behind',
  draw(history, random) {
    return drawFrom(setHistories(history), random, (set) => {
      const isPresent = (text: string, at: number) => (set.presentFrom.get(text) ?? Infinity) < at
      const inRead = () =>
        drawFrom(set.reads, random, (read) =>
          drawFrom(read.elements, random, (element) => {
            const text = canonical(element)
            if (!isPresent(text, read.operation.invoke_ts)) return null
            const output = read.answer(read.elements.filter((other) => canonical(other) !== text))
            const what = `${named(read.operation)} does not see ${shown(element)}, which was acknowledged before it began`
            return answering(history, { operation: read.operation, output, what })
          }),
        )
      const inQuestion = () =>
        drawFrom(set.questions, random, (question) => {
          const { output, input, invoke_ts: at } = question
          if (output !== true || !isPresent(canonical(input), at)) return null
          const what = `${named(question)} answers false for ${shown(input)}, which was acknowledged before it began`
          return answering(history, { operation: question, output: false, what })
        })
      return random.int(0, 1) === 0 ? (inRead() ?? inQuestion()) : (inQuestion() ?? inRead())
    })
  },
}
