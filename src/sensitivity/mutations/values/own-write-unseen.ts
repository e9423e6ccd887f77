import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { valueHistories } from './accesses.js'
import { met, named, parsed, value } from './known.js'
import { olderInSession } from './older-in-session.js'

/** A process meets a value again after it replaced that itself. */
export const ownWriteUnseen: Mutation = {
  name: 'own-write-unseen',
  about: 'a session is moved to a replica that its own write has not reached',
  draw(history, random) {
    return drawFrom(valueHistories(history), random, (values) =>
      drawFrom([...values.byProcess.values()], random, (accesses) =>
        drawFrom([...accesses.keys()], random, (place) => {
          const read = accesses[place]
          const older =
            read === undefined ? null : olderInSession(accesses, place, { values, newerIs: 'write' })
          const mutated = older === null ? null : (read?.meeting?.(parsed(older.value)) ?? null)
          if (read === undefined || older === null || mutated === null) return null
          const what =
            `${met(read)} meets ${value(older.value)}, which the same process had itself replaced in ` +
            named(older.newer)
          return changed(history, { what, replace: new Map([[read.operation, mutated]]) })
        }),
      ),
    )
  },
}
