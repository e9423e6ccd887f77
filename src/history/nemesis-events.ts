import { z } from 'zod'
import type { FaultSpan } from './fault-span.js'

const eventSchema = z.object({
  type: z.enum(['invoke', 'ok', 'fail', 'info']),
  f: z.string(),
  value: z.unknown().optional(),
  time: z.number().nullish(),
})

interface Seen {
  readonly position: number
  readonly time: number | null
}

interface Fault {
  readonly f: string
  readonly value: unknown
  readonly start: Seen
  end: Seen | null
}

/**
 * The faults that the events of a process `"nemesis"` tell: one from each `invoke` until the next event of the same `f`
 * that is none, else to the end of the history. Other events of it, such as pairs of `info`, do not say what they begin.
 */
export class NemesisEvents {
  readonly #faults: Fault[] = []

  add(value: unknown, position: number): void {
    const parsed = eventSchema.safeParse(value)
    if (!parsed.success) return
    const { type, f, value: detail, time = null } = parsed.data
    const seen = { position, time }
    if (type === 'invoke') this.#faults.push({ f, value: detail, start: seen, end: null })
    else {
      const open = this.#faults.find((fault) => fault.f === f && fault.end === null)
      if (open !== undefined) open.end = seen
    }
  }

  /** The spans by time, or by position where times are not used; those without a time of their own are then left out. */
  spans(by: 'time' | 'position'): FaultSpan[] {
    return this.#faults.flatMap(({ f, value, start, end }, index) => {
      const from = start[by]
      if (from === null || (end !== null && end[by] === null)) return []
      const name = value === null || value === undefined ? f : `${f} ${JSON.stringify(value)}`
      return [{ epoch: `F${index + 1}`, name, start: from, end: end?.[by] ?? null }]
    })
  }
}
