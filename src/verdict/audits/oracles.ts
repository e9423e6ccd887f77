import type { Audited } from './check.js'

/** A checker that gave an answer on operations in every run. */
export interface Oracle {
  readonly name: string
  readonly pattern: number
  /** Operations that it consumed in all runs together. */
  readonly operations: number
}

/** Oracle pattern of an assertion, which is what a check of no declared checker is. */
const assertion = 2

/** The checkers that a verdict can rest on: they fit, and judged operations of every run to an answer. */
export function oraclesOf({ record, runs }: Audited): readonly Oracle[] {
  const names = new Set(runs.flatMap(({ checks }) => checks.map(({ checker }) => checker)))
  return [...names].flatMap((name) => {
    const declared = record.checkers.find((checker) => checker.name === name)
    const byRun = runs.map(({ checks }) => checks.filter(({ checker }) => checker === name))
    const answered = byRun.every(
      (results) =>
        results.length > 0 && results.every(({ valid, operations }) => valid !== 'unknown' && operations > 0),
    )
    if (!answered || (declared?.misfit ?? null) !== null) return []
    const operations = byRun.flat().reduce((sum, result) => sum + result.operations, 0)
    return [{ name, pattern: declared?.pattern ?? assertion, operations }]
  })
}

/** `linearizable judged 2820 operations` */
export function oracleInWords({ name, operations }: Oracle): string {
  return `${name} judged ${operations} operations`
}
