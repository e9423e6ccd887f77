import { shown } from '../../../checkers/words.js'
import type { Operation } from '../../../history/operation.js'
import { canonical } from '../../../models/canonical.js'
import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { named, setHistories } from './sets.js'

/** An element that was seen is in no read from some moment on. */
export const elementVanished: Mutation = {
  name: 'element-vanished',
  about: 'an acknowledged element is there for a while and is lost, such as with a leader that stepped down',
  draw(history, random) {
    return drawFrom(setHistories(history), random, ({ reads, presentFrom }) =>
      drawFrom(reads, random, (from) =>
        drawFrom(from.elements, random, (element) => {
          const text = canonical(element)
          const since = from.operation.invoke_ts
          if ((presentFrom.get(text) ?? Infinity) >= since) return null
          const replace = new Map<Operation, Operation>()
          for (const { operation, elements, answer } of reads) {
            const left = elements.filter((other) => canonical(other) !== text)
            if ((operation.complete_ts ?? Infinity) < since || left.length === elements.length) continue
            replace.set(operation, { ...operation, output: answer(left) })
          }
          const what =
            `${shown(element)}, which was acknowledged, is in no read from ${named(from.operation)} on ` +
            `(${replace.size} answers are changed)`
          return changed(history, { what, replace })
        }),
      ),
    )
  },
}
