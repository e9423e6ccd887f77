import { DeclarationError } from '../errors.js'

/** Milliseconds as a number, or a number with a unit: `'250ms'`, `'5s'`, `'2m'`, `'1h'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h'}`

/** Operations a second as a number, or with the unit: `'200/s'`, `'6000/m'`. */
export type Rate = number | `${number}/${'s' | 'm'}`

const millisecondsPer = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const

/** A duration in milliseconds. Throws DeclarationError naming `what` when it cannot be read or is negative. */
export function milliseconds(duration: Duration, what = 'duration'): number {
  const match = typeof duration === 'number' ? null : /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(duration)
  const value =
    typeof duration === 'number'
      ? duration
      : match
        ? Number(match[1]) * millisecondsPer[match[2] as keyof typeof millisecondsPer]
        : Number.NaN
  if (Number.isFinite(value) && value >= 0) return value
  throw new DeclarationError('duration', `${what}: ${JSON.stringify(duration)} is not a duration`, {
    hint: "write milliseconds as a number, or '250ms', '5s', '2m', '1h'",
  })
}

/** A rate in operations a second. Throws DeclarationError naming `what` when it cannot be read or is not positive. */
export function perSecond(rate: Rate, what = 'rate'): number {
  const match = typeof rate === 'number' ? null : /^(\d+(?:\.\d+)?)\/(s|m)$/.exec(rate)
  const value =
    typeof rate === 'number' ? rate : match ? Number(match[1]) / (match[2] === 'm' ? 60 : 1) : Number.NaN
  if (Number.isFinite(value) && value > 0) return value
  throw new DeclarationError('rate', `${what}: ${JSON.stringify(rate)} is not a rate`, {
    hint: "write operations a second as a number, or '200/s', '6000/m'",
  })
}
