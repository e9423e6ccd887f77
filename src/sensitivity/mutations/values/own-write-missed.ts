import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { valueHistories, completed } from './accesses.js'
import { met, named, parsed, soleWriter, value } from './known.js'

/** A process meets what was there before everything, right after a write of its own. */
export const ownWriteMissed: Mutation = {
  name: 'own-write-missed',
  about: 'a session is moved to a replica that no write has reached',
  draw(history, random) {
    return drawFrom(valueHistories(history), random, (values) => {
      if (soleWriter(values, values.initial) !== 'initial') return null
      return drawFrom([...values.byProcess.values()], random, (accesses) =>
        drawFrom([...accesses.keys()], random, (place) => {
          const [write, read] = [accesses[place - 1], accesses[place]]
          if (write?.writes === undefined || read === undefined || read.reads === values.initial) return null
          if (completed(write) >= read.operation.invoke_ts) return null
          const mutated = read.meeting?.(parsed(values.initial)) ?? null
          if (mutated === null) return null
          const what =
            `${met(read)} meets ${value(values.initial)}, as if the same process had not written in ` +
            named(write)
          return changed(history, { what, replace: new Map([[read.operation, mutated]]) })
        }),
      )
    })
  },
}
