import type { Category } from '../../claim/claim.js'
import type { FaultWindow } from '../../nemesis/evidence.js'
import type { FaultName } from '../../nemesis/faults/index.js'
import type { RunRecord, ScenarioRecord } from '../../session/record.js'
import type { Audited } from './check.js'

/** A fault window with the run that it is of. */
export interface WindowOfRun {
  readonly run: RunRecord
  readonly window: FaultWindow
}

export function windowsOf({ runs }: Pick<Audited, 'runs'>): readonly WindowOfRun[] {
  return runs.flatMap((run) => run.faults.map((window) => ({ run, window })))
}

/** Windows of faults that landed, of the named faults only when names are given. */
export function landedOf(audited: Pick<Audited, 'runs'>, names?: readonly FaultName[]): WindowOfRun[] {
  return windowsOf(audited).filter(
    ({ window }) =>
      window.landed && (names === undefined || (names as readonly string[]).includes(window.fault)),
  )
}

/** `seed-42 F1 kill n2` */
export function windowName({ run, window }: WindowOfRun): string {
  return `${run.name} ${window.id} ${window.fault} ${window.target}`
}

export function categoriesOf({ claims }: Pick<ScenarioRecord, 'claims'>): readonly Category[] {
  return [...new Set(claims.flatMap(({ categories }) => categories))]
}

const neverHealed = Number.MAX_SAFE_INTEGER

/** Milliseconds in which at least one fault of the run was in place. */
export function faultMs({ faults, durationMs }: RunRecord): number {
  const spans = faults
    .map(({ injected_ts: from, healed_ts: to }) => [from, to ?? neverHealed] as const)
    .toSorted((one, other) => one[0] - other[0])
  let [covered, until] = [0, 0]
  for (const [from, to] of spans) {
    covered += Math.max(0, to - Math.max(from, until))
    until = Math.max(until, to)
  }
  return Math.min(covered / 1e6, durationMs)
}

/** `1 run`, `3 runs` */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

export function distinct<T>(values: readonly T[]): readonly T[] {
  return [...new Set(values)]
}

export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(3))}%`
}
