import type { Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { changed } from '../../change.js'
import { countBefore, drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { listHistories, named, type ListHistory } from './lists.js'

interface Told {
  /** When an append had returned. */
  readonly at: number
  /** Of the appends that had returned by then the one with the highest offset. */
  readonly furthest: Operation
}

const known = new WeakMap<ListHistory, readonly Told[]>()

/** The appends that were told their offsets, in order of their returns. */
function furthestTold(list: ListHistory): readonly Told[] {
  const made = known.get(list) ?? toldOf(list)
  known.set(list, made)
  return made
}

function toldOf({ appends }: ListHistory): readonly Told[] {
  const told: Told[] = []
  const acknowledged = [...appends.values()]
    .map(({ operation }) => operation)
    .filter(({ input, output }) => offsetIn(output) !== null && output !== input)
    .sort((a, b) => (a.complete_ts ?? Infinity) - (b.complete_ts ?? Infinity))
  for (const append of acknowledged) {
    const before = told.at(-1)?.furthest
    const isFurther =
      before === undefined || (offsetIn(append.output) ?? -1) > (offsetIn(before.output) ?? -1)
    told.push({ at: append.complete_ts ?? Infinity, furthest: isFurther ? append : before })
  }
  return told
}

/** A read at an offset finds nothing there, although an append had been told that offset or a later one before. */
export const recordUnreadable: Mutation = {
  name: 'record-unreadable',
  about: 'an acknowledged record is lost, or a replica that lags behind answers',
  draw(history, random) {
    if (history.model?.semantics.nullRead === 'unknown') return null
    return drawFrom(listHistories(history), random, (list) =>
      drawFrom(list.entryReads, random, (read) => {
        const [offset = Infinity] = read.offsets
        const told = furthestTold(list)
        const append = told[countBefore(told, read.operation.invoke_ts, ({ at }) => at) - 1]?.furthest
        const mutated = read.seeing(0, null)
        if (append === undefined || mutated === null || (offsetIn(append.output) ?? -1) < offset) return null
        const what =
          `${named(read)} finds nothing at offset ${offset}, although ${named({ operation: append })} was ` +
          `acknowledged with offset ${offsetIn(append.output)} before it began`
        return changed(history, { what, replace: new Map([[read.operation, mutated]]) })
      }),
    )
  },
}

function offsetIn(output: Json): number | null {
  const offset =
    typeof output === 'object' && output !== null && !Array.isArray(output) ? output['offset'] : output
  return typeof offset === 'number' ? offset : null
}
