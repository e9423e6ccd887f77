/** A piece of x86-64 machine code: bytes, the start of a labelled place, or an instruction that ends in the way to one. */
export type Piece =
  | readonly number[]
  | { readonly label: string }
  | { readonly op: readonly number[]; readonly to: string }

/** Machine code, and where its labels are in it. */
export interface Code {
  readonly bytes: Buffer
  at(label: string): number
}

/** Puts the pieces together. Every `to` becomes a signed distance of 32 bits from the end of its instruction. */
export function assemble(pieces: readonly Piece[]): Code {
  const bytes: number[] = []
  const labels = new Map<string, number>()
  const distances: { readonly at: number; readonly to: string }[] = []
  for (const piece of pieces) {
    if ('label' in piece) labels.set(piece.label, bytes.length)
    else if ('op' in piece) {
      bytes.push(...piece.op)
      distances.push({ at: bytes.length, to: piece.to })
      bytes.push(0, 0, 0, 0)
    } else bytes.push(...piece)
  }
  const at = (label: string): number => {
    const place = labels.get(label)
    if (place === undefined) throw new RangeError(`there is no label ${label} in the code`)
    return place
  }
  const buffer = Buffer.from(bytes)
  for (const distance of distances) buffer.writeInt32LE(at(distance.to) - (distance.at + 4), distance.at)
  return { bytes: buffer, at }
}

/** Four bytes of an operand. */
export function imm32(value: number): number[] {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32LE(value)
  return [...bytes]
}

/** Eight bytes of data. */
export function int64(value: bigint): number[] {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return [...bytes]
}
