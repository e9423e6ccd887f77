import { pitfallsNamed } from '../../catalog/pitfalls/index.js'
import type { Symptom } from '../../catalog/symptoms.js'

/** The checkers of a symptom's pitfalls, each once. */
export function checkersFor({ pitfalls: ids }: Symptom): readonly string[] {
  return [...new Set(pitfallsNamed(ids).flatMap(({ checkers }) => checkers))]
}

/** Rows of the index with all that belongs to their pitfalls, as data. */
export function foundAsData(rows: readonly Symptom[]) {
  return rows.map((row) => ({
    symptom: row.symptom,
    techniques: row.techniques,
    pitfalls: pitfallsNamed(row.pitfalls),
    checkers: checkersFor(row),
  }))
}
