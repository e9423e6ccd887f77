import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { valueHistories } from './accesses.js'
import { met, named, parsed, value } from './known.js'
import { olderInSession } from './older-in-session.js'

/** A process meets a value again after it saw a newer one. */
export const readGoesBack: Mutation = {
  name: 'read-goes-back',
  about: 'a session is moved to a replica that lags behind, and time goes back before its eyes',
  draw(history, random) {
    return drawFrom(valueHistories(history), random, (values) =>
      drawFrom([...values.byProcess.values()], random, (accesses) =>
        drawFrom([...accesses.keys()], random, (place) => {
          const read = accesses[place]
          const older =
            read === undefined ? null : olderInSession(accesses, place, { values, newerIs: 'read' })
          const mutated = older === null ? null : (read?.meeting?.(parsed(older.value)) ?? null)
          if (read === undefined || older === null || mutated === null) return null
          const what =
            `${met(read)} meets ${value(older.value)} again, which the same process saw replaced in ` +
            named(older.newer)
          return changed(history, { what, replace: new Map([[read.operation, mutated]]) })
        }),
      ),
    )
  },
}
