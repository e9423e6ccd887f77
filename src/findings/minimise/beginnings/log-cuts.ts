import type { Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { canonical } from '../../../models/canonical.js'
import { addTo } from '../ties/lists.js'
import type { Cut, Cuts, Rest } from './cuts.js'

/** Entries at the end of a log that a cut tells at most, and those that the core may add to it. */
const mostEntries = 64
/** Where reads list whole logs, no more entries than these are looked at. */
const mostLooked = 1_000_000
/** Of so many changes of which nobody told where they ended up, the search can try all. */
const mostUnplaced = 6

/** What an answer tells of a log. */
interface Told {
  /** How long the log was when the operation had taken effect; null when that is not told. */
  readonly length: number | null
  /** How long the log surely is at some time. */
  readonly reaches: number
  readonly entries: readonly { readonly offset: number; readonly entry: Json }[]
  /** The lowest offset that the answer is about. */
  readonly lowest: number
}

/**
 * For logs: an append that answers its offset, a tail and a read of the whole log tell the length. What stands at an offset
 * never changes, so any answer of the history tells it, and only the appends of what stands where the core looks can
 * matter to the core: whatever else took effect after the cut stands behind that.
 */
export function logCuts(history: readonly Operation[]): Cuts {
  const tellersAt = new Map<number, { readonly by: Operation; readonly entry: Json }[]>()
  let looked = 0
  for (const operation of history) {
    if (looked > mostLooked && operation.op_type !== 'append') continue
    const { entries } = told(operation)
    looked += entries.length
    for (const { offset, entry } of entries) addTo(tellersAt, offset, { by: operation, entry })
  }

  /** The last entries before the length, as far as the core looks and others tell them. */
  const lastEntries = (length: number, core: readonly Operation[]): Cut['init'] => {
    const lowest = Math.max(
      length - mostEntries,
      core.reduce((least, operation) => Math.min(least, told(operation).lowest), length),
    )
    const records: [number, Json][] = []
    for (let offset = length - 1; offset >= lowest; offset -= 1) {
      const teller = tellersAt.get(offset)?.find(({ by }) => !core.includes(by))
      if (teller === undefined) break
      records.unshift([offset, teller.entry])
    }
    return { from: length - records.length, records }
  }

  /** The open appends that can have put something where the core looks; null when that is not known. */
  const between = (length: number, { core, open }: Rest): readonly Operation[] | null => {
    const end = core.reduce((most, operation) => Math.max(most, told(operation).reaches), length)
    // All changes together do not make the log so long: then it makes no difference which of them took effect.
    if (end > length + open.length + core.length) return []
    if (end - length > mostEntries) return null
    const values = new Set<string>()
    for (let offset = length; offset < end; offset += 1) {
      const tellers = tellersAt.get(offset)
      if (tellers === undefined) return open.length <= mostUnplaced ? open : null
      for (const { entry } of tellers) values.add(canonical(entry))
    }
    return open.filter(({ input }) => values.has(canonical(input)))
  }

  return {
    shows: (operation) => told(operation).length !== null,
    after(shown, rest) {
      const length = told(shown).length as number
      const open = between(length, rest)
      return open === null ? null : { init: lastEntries(length, rest.core), open }
    },
  }
}

function told({ op_type: type, input, output, complete_ts: completed }: Operation): Told {
  if (completed === null) return toldNothing
  if (type === 'append') {
    const offset = isObject(output) ? output['offset'] : output === input ? null : output
    return isOffset(offset) ? entriesFrom(offset, [input], { length: offset + 1 }) : toldNothing
  }
  if (type === 'tail') {
    return isOffset(output) ? { length: output, reaches: output, entries: [], lowest: output } : toldNothing
  }
  if (isOffset(input)) return output === null ? toldEnd(input) : entriesFrom(input, [output])
  if (Array.isArray(output)) return entriesFrom(0, output, { length: output.length })
  if (!isObject(output)) return toldNothing
  const { from, records } = output as { from?: Json; records?: Json }
  if (!isOffset(from) || !Array.isArray(records)) return toldNothing
  if (records.length === 0) return toldEnd(from)
  return entriesFrom(
    from,
    records.map((record) => (record as readonly Json[])[1] ?? null),
  )
}

const toldNothing: Told = { length: null, reaches: 0, entries: [], lowest: Infinity }

/** Nothing stands at the offset or behind it. */
function toldEnd(offset: number): Told {
  return { ...toldNothing, lowest: offset }
}

function entriesFrom(
  from: number,
  entries: readonly Json[],
  { length = null }: { length?: number | null } = {},
): Told {
  return {
    length,
    reaches: from + entries.length,
    entries: entries.map((entry, index) => ({ offset: from + index, entry })),
    lowest: from,
  }
}

function isObject(value: Json | undefined): value is { readonly [field: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isOffset(value: Json | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
