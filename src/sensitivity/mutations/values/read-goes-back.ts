import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { valueHistories, type Access, type ValueHistory } from './accesses.js'
import { met, named, parsed, soleWriter, value } from './known.js'

/** How far back in a process's operations an older value is looked for. */
const furthestBack = 12

/** A process meets a value again that it had already seen replaced. */
export const readGoesBack: Mutation = {
  name: 'read-goes-back',
  about: 'a session is moved to a replica that lags behind, and its own past is undone before its eyes',
  draw(history, random) {
    return drawFrom(valueHistories(history), random, (values) =>
      drawFrom([...values.byProcess.values()], random, (accesses) =>
        drawFrom([...accesses.keys()], random, (place) => {
          const read = accesses[place]
          const older = read === undefined ? null : olderThan(accesses, place, values)
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

/** A value from before the one that the process last had to do with, one after the other in time. */
function olderThan(
  accesses: readonly Access[],
  place: number,
  values: ValueHistory,
): { value: string; newer: Access } | null {
  const read = accesses[place]
  const newer = accesses[place - 1]
  if (read?.meeting === undefined || newer === undefined || !follows(newer, read)) return null
  const left = newer.writes ?? newer.reads
  for (let back = place - 2; back >= Math.max(0, place - furthestBack); back -= 1) {
    const [older, next] = [accesses[back], accesses[back + 1]]
    if (older === undefined || next === undefined || !follows(older, next)) return null
    const seen = older.writes ?? older.reads
    if (seen === undefined || left === undefined || seen === left || seen === read.reads) continue
    if (soleWriter(values, seen) !== null) return { value: seen, newer }
  }
  return null
}

function follows(first: Access, second: Access): boolean {
  const isSameRoute = first.operation.node_seen === second.operation.node_seen
  return isSameRoute && (first.operation.complete_ts ?? Infinity) < second.operation.invoke_ts
}
