import type { Random } from '../../random/random.js'

/** What a random schedule is drawn from; times in milliseconds. */
export interface Envelope {
  /** One for each kind: how long it stays whatever is drawn (0 when it ends by itself); null when that is drawn. */
  readonly holds: readonly (number | null)[]
  /** Faults of a group at most. */
  readonly maxOverlap: number
  readonly quietMs: number
  readonly forMs: readonly [number, number]
}

/** A fault as drawn. */
export interface Drawn {
  /** Index of its kind. */
  readonly kind: number
  /** From the beginning of its group. */
  readonly afterMs: number
  readonly forMs: number
}

/** Faults that overlap, in the order of their times; the first begins with the group. */
export interface Group {
  /** From the recovery from the group before. */
  readonly pauseMs: number
  readonly faults: readonly Drawn[]
}

/**
 * Draws groups without end. What is drawn depends on the stream alone, not on how long anything takes, so a run that
 * lasts longer has the same groups and more. Every fault of a group begins while, by the drawn lengths, one before it
 * is in place.
 */
export function* drawGroups(envelope: Envelope, random: Random): Generator<Group, never> {
  const { holds, maxOverlap, quietMs, forMs } = envelope
  for (;;) {
    const pauseMs = random.int(Math.ceil(quietMs), Math.ceil(2 * quietMs))
    const size = random.int(1, maxOverlap)
    const faults: Drawn[] = []
    let afterMs = 0
    let ends = 0
    for (let index = 0; index < size; index++) {
      const kind = random.int(0, holds.length - 1)
      const drawnMs = random.int(Math.ceil(forMs[0]), Math.floor(Math.max(forMs[1], Math.ceil(forMs[0]))))
      const hold = holds[kind] ?? drawnMs
      faults.push({ kind, afterMs, forMs: hold })
      ends = Math.max(ends, afterMs + hold)
      afterMs = random.int(afterMs, Math.floor(ends))
    }
    yield { pauseMs, faults }
  }
}
