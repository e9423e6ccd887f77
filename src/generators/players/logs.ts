import type { Json } from '../../json.js'
import { perKey, type Player, type Setting } from '../player.js'

/** Entries that a read returns at most, and how far before the end it starts at most. */
const mostRead = 5
const lookBack = 8

/** A log that is appended to and read near its end. */
export function logs(setting: Setting): Player {
  return perKey(setting, (key) => {
    const { from: first, entries } = beginning(setting.semantics.init)
    return {
      draw({ random, fresh }) {
        const percent = random.int(0, 99)
        if (percent < 50) return { type: 'append', key, input: fresh() }
        if (percent < 60) return { type: 'tail', key, input: null }
        const offset = Math.max(first, entries.length - random.int(0, lookBack))
        return { type: 'read', key, input: percent < 75 ? offset : { from: offset } }
      },
      answer({ type, input }) {
        if (type === 'append') return { offset: entries.push(input) - 1 }
        if (type === 'tail') return entries.length
        if (typeof input === 'number') return entries[input] ?? null
        const { from } = input as { from: number }
        const records = entries.slice(from, from + mostRead).map((entry, index) => [from + index, entry])
        return { from, records }
      },
    }
  })
}

/** The entries by their offsets; those before `from` are there and are not known. */
function beginning(init: Json): { from: number; entries: Json[] } {
  if (Array.isArray(init)) return { from: 0, entries: [...init] }
  const { from = 0, records = [] } = (init ?? {}) as unknown as Partial<Slice>
  return { from, entries: [...new Array<Json>(from).fill(null), ...records.map(([, entry]) => entry)] }
}

interface Slice {
  readonly from: number
  readonly records: readonly (readonly [offset: number, entry: Json])[]
}
