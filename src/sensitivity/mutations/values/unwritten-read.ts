import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { perHistory } from '../../per-history.js'
import { unwrittenLike } from '../../unwritten.js'
import { valueHistories } from './accesses.js'
import { met, parsed, value } from './known.js'

/** Every text in the inputs of the history: failed operations may have said a value too. */
const inputs = perHistory(({ operations }) => new Set(operations.map(({ input }) => JSON.stringify(input))))

/** A read meets a value that nobody wrote. */
export const unwrittenRead: Mutation = {
  name: 'unwritten-read',
  about: 'a value is corrupted, or comes from elsewhere',
  draw(history, random) {
    return drawFrom(valueHistories(history), random, (values) =>
      drawFrom(values.reads, random, (read) => {
        const known = {
          has: (text: string) =>
            values.writers.has(text) || text === values.initial || inputs(history).has(text),
        }
        const example = read.reads !== 'null' ? read.reads : values.writtenOnce[0]?.writes
        if (example === undefined) return null
        const unwritten = unwrittenLike(parsed(example), known)
        const mutated = unwritten === undefined ? null : (read.meeting?.(unwritten) ?? null)
        if (unwritten === undefined || mutated === null) return null
        const what = `${met(read)} meets ${value(JSON.stringify(unwritten))}, which nobody wrote`
        return changed(history, { what, replace: new Map([[read.operation, mutated]]) })
      }),
    )
  },
}
