import type { Property } from '../../properties/property.js'
import { neverHeld } from '../../properties/never-held.js'
import type { ScenarioRecord } from '../../session/record.js'
import { table, type Block } from './markdown.js'

/** A table of every property that scenarios assert, counted over all of their runs; empty when there is none. */
export function propertiesTable(scenarios: readonly ScenarioRecord[]): Block[] {
  const rows = scenarios.flatMap((record) => {
    const evaluated = totals(record.runs.flatMap(({ properties }) => properties))
    const silent = neverHeld([evaluated], record.sometimes).filter(
      (name) => !evaluated.some((property) => property.kind === 'sometimes' && property.name === name),
    )
    return [
      ...evaluated.map(({ kind, name, held, broken }) => [
        record.id,
        `${kind} ${JSON.stringify(name)}`,
        String(held),
        String(broken),
        judgement({ kind, held, broken }),
      ]),
      ...silent.map((name) => [
        record.id,
        `sometimes ${JSON.stringify(name)}`,
        '0',
        '0',
        'weak: never evaluated',
      ]),
    ]
  })
  return rows.length === 0 ? [] : [table(['ID', 'Property', 'Held', 'Did not hold', 'Answer'], rows)]
}

function judgement({ kind, held, broken }: Omit<Property, 'name'>): string {
  if (kind === 'sometimes') return held > 0 ? 'came up' : 'weak: never held'
  return broken > 0 ? 'broken' : 'holds'
}

function totals(properties: readonly Property[]): Property[] {
  const sums = new Map<string, Property>()
  for (const property of properties) {
    const id = `${property.kind} ${property.name}`
    const sum = sums.get(id)
    sums.set(
      id,
      sum === undefined
        ? property
        : { ...sum, held: sum.held + property.held, broken: sum.broken + property.broken },
    )
  }
  return [...sums.values()]
}
