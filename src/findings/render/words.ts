import type { CheckResult } from '../../checkers/checker.js'
import type { Evidence, FaultWindow } from '../../nemesis/evidence.js'
import { changed } from '../../nemesis/fault.js'
import type { Operation } from '../../history/operation.js'

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 3 })

/** A number or reading for people; a dash when there is none. */
export function reading(value: number | string | null): string {
  if (value === null) return '-'
  return typeof value === 'number' ? grouped.format(value) : value
}

/** `1 run`, `3 runs`. */
export function count(number: number, noun: string): string {
  return `${grouped.format(number)} ${noun}${number === 1 ? '' : 's'}`
}

/** Nanoseconds since the run's start as seconds; a dash when it never happened. */
export function seconds(nanoseconds: number | null): string {
  return nanoseconds === null ? '-' : `${(nanoseconds / 1e9).toFixed(3)} s`
}

/** `n1->n2 dropped packets 0 -> 14,712` */
export function changeInWords({ subject, signal, before, after }: Evidence): string {
  return `${subject} ${signal} ${reading(before)} -> ${reading(after)}`
}

/**
 * What a checker counted over some runs, in words: `keys 4`, `failed reads 0-2`. Leaves out what repeats the number of
 * operations.
 */
export function counters(checks: readonly Pick<CheckResult, 'operations' | 'evidence'>[]): string[] {
  const names = [...new Set(checks.flatMap(({ evidence }) => Object.keys(evidence)))]
  return names
    .filter((name) => checks.some(({ operations, evidence }) => evidence[name] !== operations))
    .map((name) => `${inWords(name)} ${range(checks.flatMap(({ evidence }) => evidence[name] ?? []))}`)
}

/** `failedReads` as `failed reads`. */
function inWords(name: string): string {
  return name.replaceAll(/(?<=[a-z\d])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function range(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return least === most ? reading(least) : `${reading(least)}-${reading(most)}`
}

/** One reading of the injector and one of a victim: of each the one that says most. */
export function tellingEvidence(window: Pick<FaultWindow, 'evidence'>): Evidence[] {
  return (['injector', 'victim'] as const).flatMap((side) => {
    const readings = window.evidence.filter((evidence) => evidence.side === side)
    const [best] = readings.toSorted((one, other) => weight(other) - weight(one))
    return best === undefined ? [] : [best]
  })
}

function weight(evidence: Evidence): number {
  const { before, after } = evidence
  if (!changed(evidence)) return -1
  return typeof before === 'number' && typeof after === 'number' ? Math.abs(after - before) : 0
}

/** A value of an operation on one line, cut where it gets long. */
export function valueInWords(value: Operation['input']): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}
