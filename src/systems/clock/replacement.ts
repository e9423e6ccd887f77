import { randomBytes } from 'node:crypto'
import { EnvironmentError } from '../../errors.js'
import type { Bases, ClockChange } from './change.js'
import { clockCode, tagBytes } from './stub.js'
import type { Vdso } from './vdso.js'

/** Bytes at a place in the vDSO. */
export interface Span {
  readonly offset: number
  readonly bytes: Buffer
}

/** What of a vDSO is replaced for a changed clock, and what was there. */
export interface Replacement {
  /** Recognizes it; written first and taken back last, so that a process with any part of it has the tag. */
  readonly tag: Span
  /** In the order of writing. */
  readonly written: readonly Span[]
  readonly originals: readonly Span[]
}

const host = '__vdso_clock_gettime'
const others = [
  ['__vdso_gettimeofday', 'gettimeofday'],
  ['__vdso_time', 'time'],
] as const
const jump = 0xe9
const jumpBytes = 5

/**
 * Lays the code for a changed clock into the room of the original clock_gettime, and lets the other functions that tell
 * the time jump to it. `basesNow` is asked as late as `write` is used, since clocks go on while the journal is written.
 *
 * Throws EnvironmentError when there is no room, or when this very process has a changed clock, as then nothing shows
 * what the original is.
 */
export function planReplacement(vdso: Vdso, change: ClockChange): PlannedReplacement {
  const place = vdso.function(host)
  const id = randomBytes(8)
  const sample = clockCode(change, { realtime: 0n, monotonic: 0n, boottime: 0n }, id)
  if (place === null || place.size < sample.bytes.length) {
    throw new EnvironmentError(
      'room in the vDSO',
      `${host} of this kernel has ${place?.size ?? 0} bytes, and the code for a changed clock needs ${sample.bytes.length}`,
      'run the tests on another kernel',
    )
  }
  if (vdso.image.includes(sample.bytes.subarray(sample.at('tag'), sample.at('tag') + 8))) {
    throw new EnvironmentError(
      'own clock',
      'the clock of this process itself has been changed',
      'run npx nemesis heal, then start the tests again',
    )
  }
  const tag = { offset: place.offset + sample.at('tag'), bytes: bytesOfTag(sample.bytes, sample.at('tag')) }
  const spans = (bases: Bases): readonly Span[] => {
    const code = clockCode(change, bases, id)
    const after = code.at('tag') + tagBytes
    return [
      tag,
      { offset: place.offset, bytes: code.bytes.subarray(0, code.at('tag')) },
      { offset: place.offset + after, bytes: code.bytes.subarray(after) },
      ...others.flatMap(([name, label]) => {
        const entry = vdso.function(name)
        if (entry === null) return []
        const bytes = Buffer.alloc(jumpBytes, jump)
        bytes.writeInt32LE(place.offset + code.at(label) - (entry.offset + jumpBytes), 1)
        return [{ offset: entry.offset, bytes }]
      }),
    ]
  }
  const originals = spans({ realtime: 0n, monotonic: 0n, boottime: 0n }).map(({ offset, bytes }) => ({
    offset,
    bytes: Buffer.from(vdso.image.subarray(offset, offset + bytes.length)),
  }))
  return { tag, originals, at: (bases) => ({ tag, originals, written: spans(bases) }) }
}

/** A replacement but for the moment from which changed clocks run. */
export interface PlannedReplacement extends Pick<Replacement, 'tag' | 'originals'> {
  at(bases: Bases): Replacement
}

function bytesOfTag(code: Buffer, at: number): Buffer {
  return Buffer.from(code.subarray(at, at + tagBytes))
}
