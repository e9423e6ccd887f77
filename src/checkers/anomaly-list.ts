import type { Anomaly } from './checker.js'
import type { Judgement } from './define.js'

/** As many as a result lists. */
const most = 50

/** Anomalies of one kind: the first ones are told, the others only counted, for there may be a million. */
export class AnomalyList {
  readonly told: Anomaly[] = []
  count = 0

  /** `tell` is called only when there is room. */
  add(tell: () => Anomaly): void {
    this.count += 1
    if (this.told.length < most) this.told.push(tell())
  }
}

/** What several kinds come to, the most telling kind first. */
export function allOf(lists: readonly AnomalyList[]): Pick<Judgement, 'anomalies' | 'untold'> {
  const anomalies = lists.flatMap(({ told }) => told)
  const count = lists.reduce((sum, list) => sum + list.count, 0)
  return { anomalies, untold: count - anomalies.length }
}
