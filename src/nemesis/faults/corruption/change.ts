/** How a file is changed; bytes count within the written part of it. */
export type FileChange =
  /** So many bits, spread evenly, or one after the other byte from `offset` on. */
  | { readonly kind: 'flip'; readonly bits: number; readonly offset: number | null }
  /** So many bytes are cut off the end. */
  | { readonly kind: 'truncate'; readonly bytes: number }
  /** So many bytes become 0xa5, around the middle or from `offset` on. */
  | { readonly kind: 'overwrite'; readonly bytes: number; readonly offset: number | null }

/** What overwrites: neither zero, which files are padded with, nor text. */
const junk = 0xa5

/**
 * The changed content of a file; the same change of the same file always gives the same bytes. Equal to the content
 * when it has nothing that could be changed there.
 *
 * Many servers set files up at their full size ahead of time. The zeros at the end are no data, and nobody would miss
 * them: changes are made before them.
 */
export function changedContent(content: Uint8Array, change: FileChange): Uint8Array {
  const written = writtenLength(content)
  if (written === 0) return content
  const copy = Uint8Array.from(content)
  switch (change.kind) {
    case 'flip':
      for (const [position, bit] of flips(change, written))
        copy[position] = (copy[position] as number) ^ (1 << bit)
      return copy
    case 'truncate':
      return copy.subarray(0, Math.max(0, written - change.bytes))
    case 'overwrite': {
      const start = change.offset ?? Math.max(0, Math.floor((written - change.bytes) / 2))
      return copy.fill(junk, Math.min(start, written), Math.min(start + change.bytes, written))
    }
  }
}

/** Positions with the number of the bit. Each byte is flipped in one bit at most, so no flip takes back another. */
function flips(
  { bits, offset }: Extract<FileChange, { kind: 'flip' }>,
  written: number,
): readonly (readonly [number, number])[] {
  const room = offset === null ? written : Math.max(0, written - offset)
  const count = Math.min(bits, room)
  return Array.from({ length: count }, (_, index) => {
    const position = offset === null ? Math.floor(((index + 0.5) * written) / count) : offset + index
    return [position, index % 8] as const
  })
}

function writtenLength(content: Uint8Array): number {
  let length = content.length
  while (length > 0 && content[length - 1] === 0) length -= 1
  return length
}
