import { z } from 'zod'

/** A number of bits a second, or text such as `1mbit`, `500kbit` or `2.5gbit`. */
export type Rate = number | string

const factors = { bit: 1, kbit: 1e3, mbit: 1e6, gbit: 1e9 } as const
const least = 1_000

/** Bits a second, or null when the text is no rate that a link can have. */
export function bitsPerSecond(rate: Rate): number | null {
  const bits = typeof rate === 'number' ? rate : inBits(rate)
  return Number.isFinite(bits) && bits >= least ? bits : null
}

function inBits(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*(bit|kbit|mbit|gbit)$/.exec(text.trim().toLowerCase())
  return match === null ? NaN : Number(match[1]) * factors[match[2] as keyof typeof factors]
}

/** A rate that `bitsPerSecond` can read. */
export const rateSchema: z.ZodType<Rate> = z
  .union([z.number(), z.string()])
  .refine((rate) => bitsPerSecond(rate) !== null, {
    error: "expected a rate of 1 kbit a second or more, such as '1mbit' or '500kbit'",
  })
