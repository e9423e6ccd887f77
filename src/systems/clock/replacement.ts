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

/** What is in the places of a changed clock: with the change, or before it. */
export interface Content {
  /** The room for the new code, but for the tag. */
  readonly body: readonly Span[]
  /** The first bytes of the functions that tell the time: a jump there, or how they begin. */
  readonly entries: readonly Span[]
}

/**
 * A changed clock, to be written as tag, body, entries and taken back in the opposite order, so that a process with any
 * part of it carries the tag.
 */
export interface Replacement {
  /** Recognizes it. */
  readonly tag: Span
  /** The bytes of the tag's place before. */
  readonly originalTag: Span
  readonly originals: Content
  /** The code for clocks that are changed from this moment on. */
  from(bases: Bases): Content
}

const entryPoints = [
  ['__vdso_clock_gettime', 'clock_gettime'],
  ['__vdso_gettimeofday', 'gettimeofday'],
  ['__vdso_time', 'time'],
] as const
const jump = 0xe9
const jumpBytes = 5
const alignment = 16

/**
 * Lays the code for a changed clock behind what is loaded of the vDSO, where section headers and padding are that no
 * running program reads, and lets the functions that tell the time jump there. The rest of these functions stays, so a
 * thread that is in one of them goes on to its end.
 *
 * Throws EnvironmentError when there is no room, or when this very process has a changed clock, as then nothing shows
 * what the original is.
 */
export function planReplacement(
  { image, function: find, loadedEnd }: Vdso,
  change: ClockChange,
): Replacement {
  const start = Math.ceil(loadedEnd / alignment) * alignment
  const id = randomBytes(8)
  const codeFrom = (bases: Bases) => clockCode(change, bases, id)
  const sample = codeFrom({ realtime: 0n, monotonic: 0n, boottime: 0n })
  const tagAt = sample.at('tag')
  if (find('__vdso_clock_gettime') === null || start + sample.bytes.length > image.length) {
    throw new EnvironmentError(
      'room in the vDSO',
      `the vDSO of this kernel has ${image.length - start} spare bytes, and the code for a changed clock needs ${sample.bytes.length}`,
      'run the tests on another kernel',
    )
  }
  if (image.includes(sample.bytes.subarray(tagAt, tagAt + tagBytes - id.length))) {
    throw new EnvironmentError(
      'own clock',
      'the clock of this process itself has been changed',
      'run npx nemesis heal, then start the tests again',
    )
  }
  const from = (bases: Bases): Content => {
    const { bytes, at } = codeFrom(bases)
    return {
      body: [
        { offset: start, bytes: bytes.subarray(0, tagAt) },
        { offset: start + tagAt + tagBytes, bytes: bytes.subarray(tagAt + tagBytes) },
      ],
      entries: entryPoints.flatMap(([name, label]) => {
        const entry = find(name)
        if (entry === null) return []
        const jumpThere = Buffer.alloc(jumpBytes, jump)
        jumpThere.writeInt32LE(start + at(label) - (entry.offset + jumpBytes), 1)
        return [{ offset: entry.offset, bytes: jumpThere }]
      }),
    }
  }
  const original = ({ offset, bytes }: Span): Span => ({
    offset,
    bytes: Buffer.from(image.subarray(offset, offset + bytes.length)),
  })
  const tag = { offset: start + tagAt, bytes: sample.bytes.subarray(tagAt, tagAt + tagBytes) }
  const { body, entries } = from({ realtime: 0n, monotonic: 0n, boottime: 0n })
  return {
    tag,
    originalTag: original(tag),
    originals: { body: body.map(original), entries: entries.map(original) },
    from,
  }
}
