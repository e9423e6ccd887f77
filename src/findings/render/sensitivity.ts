import type { ScenarioRecord } from '../../session/record.js'
import { list, table, type Block } from './markdown.js'
import { count } from './words.js'

/** How many survivors are listed of each checker. */
const listed = 5

/** Whether each checker that found nothing would have noticed something, over all runs; null when none was asked. */
export function sensitivityBlocks(scenarios: readonly ScenarioRecord[]): readonly Block[] | null {
  const measured = scenarios.flatMap((record) => {
    const all = record.runs.flatMap(({ sensitivity }) => sensitivity)
    const checkers = [...new Set(all.map(({ checker }) => checker))]
    return checkers.map((checker) => ({
      id: record.id,
      checker,
      runs: all.filter((one) => one.checker === checker),
    }))
  })
  if (measured.length === 0) return null
  const survivors = measured.flatMap(({ id, checker, runs }) => {
    const all = runs.flatMap((run) => run.survivors)
    const more = all.length > listed ? [`${id} ${checker}: ${all.length - listed} more were not noticed`] : []
    return [
      ...all
        .slice(0, listed)
        .map(({ mutation, what }) => `${id} ${checker} did not notice (${mutation}): ${what}`),
      ...more,
    ]
  })
  const rows = measured.map(({ id, checker, runs }) => [
    id,
    checker,
    rate(runs),
    mutationsOf(runs),
    [...new Set(runs.flatMap(({ reason }) => reason ?? []))].join('; '),
  ])
  return [
    table(['ID', 'Checker', 'Noticed', 'Mutations', 'Remarks'], rows),
    ...(survivors.length === 0 ? [] : [list(survivors)]),
  ]
}

type Runs = ScenarioRecord['runs'][number]['sensitivity']

function rate(runs: Runs): string {
  const mutants = runs.reduce((sum, run) => sum + run.mutants, 0)
  const killed = runs.reduce((sum, run) => sum + run.killed, 0)
  const share = mutants === 0 ? '' : ` (${Math.floor((killed / mutants) * 100)}%)`
  return `${killed} of ${count(mutants, 'mutant')}${share}`
}

function mutationsOf(runs: Runs): string {
  const sums = new Map<string, { mutants: number; killed: number }>()
  for (const { name, mutants, killed } of runs.flatMap((run) => run.mutations)) {
    const sum = sums.get(name) ?? { mutants: 0, killed: 0 }
    sums.set(name, { mutants: sum.mutants + mutants, killed: sum.killed + killed })
  }
  return [...sums].map(([name, { mutants, killed }]) => `${name} ${killed}/${mutants}`).join(', ')
}
