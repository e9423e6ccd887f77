import type { CheckResult } from '../checkers/checker.js'
import type { Operation } from '../history/operation.js'
import type { Question } from './plan.js'

/** Mutants of the whole history by themselves, those of small parts that follow one another together if `areApart`. */
export function* inGroups(
  questions: Iterable<Question>,
  { areApart }: { areApart: boolean },
): Generator<readonly Question[]> {
  let group: Question[] = []
  for (const question of questions) {
    if (areApart && !question.isWhole) {
      group.push(question)
      continue
    }
    if (group.length > 0) yield group
    group = []
    yield [question]
  }
  if (group.length > 0) yield group
}

/**
 * The operations of several mutants in one history, each mutant with objects and processes of its own: one check is
 * cheaper than many small ones.
 */
export function together(mutants: readonly Question[]): readonly Operation[] {
  return mutants
    .flatMap(({ operations }, index) =>
      operations.map((operation) => ({
        ...operation,
        op_id: `${index}:${operation.op_id}`,
        process_id: `${index}:${operation.process_id}`,
        key: `${index}:${operation.key}`,
      })),
    )
    .sort((a, b) => a.invoke_ts - b.invoke_ts)
}

/** Which of the mutants in a history of `together` a checker found something in: by operations that are of one alone. */
export function noticedIn({
  valid,
  anomalies,
}: Pick<CheckResult, 'valid' | 'anomalies'>): ReadonlySet<number> {
  if (valid !== false) return new Set()
  const noticed = anomalies.flatMap(({ operations }) => {
    const of = new Set(operations.map((id) => Number.parseInt(String(id), 10)))
    return of.size === 1 ? [...of] : []
  })
  return new Set(noticed)
}
