import { shown } from '../../../checkers/words.js'
import type { Json } from '../../../json.js'
import { canonical } from '../../../models/canonical.js'
import { answering } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { unwrittenLike } from '../../unwritten.js'
import { containerHistories, named } from './elements.js'

/** A take gives out an element that nobody put in. */
export const takeUnknown: Mutation = {
  name: 'take-unknown',
  about: 'an element is corrupted, or comes from elsewhere',
  draw(history, random) {
    return drawFrom(containerHistories(history), random, (container) =>
      drawFrom(container.takes, random, (take) => {
        const output = like(take.output, container.known)
        if (output === undefined) return null
        const what = `${named(take)} answers ${shown(output)}, which nobody put in`
        return answering(history, { operation: take, output, what })
      }),
    )
  },
}

function like(output: Json, known: ReadonlySet<string>): Json | undefined {
  if (typeof output !== 'object' || output === null || Array.isArray(output))
    return unwrittenLike(output, known)
  // The element of a priority queue: `{ priority, value }`.
  const value = unwrittenLike(output['value'] ?? null, new Set<string>())
  if (value === undefined) return undefined
  const element = { ...output, value }
  return known.has(canonical(element)) ? undefined : element
}
