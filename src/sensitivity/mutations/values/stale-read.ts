import { changed } from '../../change.js'
import { countBefore, drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { completed, valueHistories, type Access, type ValueHistory } from './accesses.js'
import { met, named, parsed, soleWriter, value } from './known.js'

/** How many of the values before the last surely overwritten one are considered. */
const furthestBack = 8

/** A read meets a value that an acknowledged write had replaced before the read began. */
export const staleRead: Mutation = {
  name: 'stale-read',
  about: 'a replica that lags behind answers a read, or a compare-and-set is applied to an old value',
  draw(history, random) {
    return drawFrom(valueHistories(history), random, (values) =>
      drawFrom(values.reads, random, (read) => {
        const stale = staleFor(values, read, random.int(0, furthestBack))
        const mutated = stale === null ? null : (read.meeting?.(parsed(stale.value)) ?? null)
        if (stale === null || mutated === null) return null
        const what =
          `${met(read)} meets ${value(stale.value)}, which ${named(stale.by)} had replaced ` +
          'before it began'
        return changed(history, { what, replace: new Map([[read.operation, mutated]]) })
      }),
    )
  },
}

/** A value that was surely replaced before the read, and the write that replaced it. */
function staleFor(values: ValueHistory, read: Access, back: number): { value: string; by: Access } | null {
  const { acknowledged, lastInvoked, initial } = values
  const by = lastInvoked[countBefore(acknowledged, read.operation.invoke_ts, completed) - 1]
  if (by === undefined) return null
  const before = countBefore(acknowledged, by.operation.invoke_ts, completed)
  for (let place = Math.max(0, before - 1 - back); place < before; place += 1) {
    const old = acknowledged[place]?.writes
    if (old === undefined || old === by.writes || old === read.reads) continue
    if (soleWriter(values, old) === acknowledged[place]) return { value: old, by }
  }
  const isFirst = initial !== by.writes && initial !== read.reads && soleWriter(values, initial) === 'initial'
  return isFirst ? { value: initial, by } : null
}
