import { changed } from '../../change.js'
import { countBefore, drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { valueHistories, type Access } from './accesses.js'
import { met, named, parsed, value } from './known.js'

/** How many of the writes after a read are considered. */
const furthestAhead = 8

/** A read meets a value that is written only after it has returned. */
export const futureRead: Mutation = {
  name: 'future-read',
  about: 'operations take effect outside of their time, as with clocks that disagree',
  draw(history, random) {
    return drawFrom(valueHistories(history), random, (values) =>
      drawFrom(values.reads, random, (read) => {
        const write = laterThan(read, values.writtenOnce, random.int(0, furthestAhead))
        if (write?.writes === undefined) return null
        const mutated = read.meeting?.(parsed(write.writes)) ?? null
        if (mutated === null) return null
        const what = `${met(read)} meets ${value(write.writes)}, which ${named(write)} began to write only afterwards`
        return changed(history, { what, replace: new Map([[read.operation, mutated]]) })
      }),
    )
  },
}

function laterThan(read: Access, writes: readonly Access[], ahead: number): Access | undefined {
  const end = read.operation.complete_ts ?? Infinity
  const first = countBefore(writes, end + 1, ({ operation }) => operation.invoke_ts)
  const later = writes.slice(first, first + 1 + ahead)
  return later.findLast(({ writes: text }) => text !== read.writes)
}
