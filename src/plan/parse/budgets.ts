import type { RootContent } from 'mdast'
import { columnReader, tablesIn, tableWith, type PlanTable } from '../markdown/tables.js'
import type { PlanBudgets } from '../plan.js'
import type { Text } from '../position.js'
import type { BudgetTier, ReleaseDisclosure } from '../../verdict/budget.js'

const tiers = ['smoke', 'hardening', 'release'] as const
type TierName = (typeof tiers)[number]
type Tier = BudgetTier | ReleaseDisclosure

/**
 * A scenario's budgets: a table `| Tier | Duration | Nodes | Faults | Seeds |`, or one line of text with
 * `smoke: 5s, 3 nodes, 0 faults, 1 seed; hardening: …; release: not provided because …, revisit when …`.
 */
export function parseBudgets(blocks: readonly RootContent[], line: Text | null): PlanBudgets | null {
  const table = tableWith(tablesIn(blocks), 'tier', 'duration')
  const stated = table === null ? linesOf(line) : rowsOf(table)
  const [first] = stated
  if (first === undefined) return null
  const read = new Map<TierName, Tier>()
  const problems: Text[] = []
  for (const { name, text } of stated) {
    const tier = name === 'release' ? (disclosureIn(text.text) ?? tierIn(text.text)) : tierIn(text.text)
    if (tier === null) problems.push({ ...text, text: `${name}: ${text.text}` })
    else read.set(name, tier)
  }
  return {
    at: first.text.at,
    smoke: (read.get('smoke') as BudgetTier | undefined) ?? null,
    hardening: (read.get('hardening') as BudgetTier | undefined) ?? null,
    release: read.get('release') ?? null,
    problems,
  }
}

interface Stated {
  readonly name: TierName
  readonly text: Text
}

/** What a count is of, with the beginnings of the columns that give it. */
const counts = [
  ['nodes', 'node', 'configuration'],
  ['faults', 'fault'],
  ['seeds', 'seed'],
] as const

function rowsOf(table: PlanTable): Stated[] {
  const read = columnReader(table)
  return table.rows.flatMap((row) => {
    const name = tiers.find((tier) => read(row, 'tier')?.text.toLowerCase().startsWith(tier))
    if (name === undefined) return []
    const words = counts.map(([noun, ...columns]) => {
      const cell = read(row, ...columns)?.text ?? ''
      return cell.replace(/^(\d+)(?!\s*\w*(?:node|fault|seed))(?=\W|$)/, `$1 ${noun}`)
    })
    const cells = [read(row, 'duration')?.text ?? '', ...words].filter((word) => word !== '')
    return [{ name, text: { at: row.at, text: cells.join(', ') } }]
  })
}

function linesOf(line: Text | null): Stated[] {
  if (line === null) return []
  const pieces = line.text.split(/(?=\b(?:smoke|hardening|release)\b\s*[:(])/i)
  return pieces.flatMap((piece) => {
    const name = tiers.find((tier) => piece.trim().toLowerCase().startsWith(tier))
    if (name === undefined) return []
    const text = piece
      .trim()
      .slice(name.length)
      .replaceAll(/^[\s:(]+|[\s;).]+$/g, '')
    return [{ name, text: { at: line.at, text } }]
  })
}

const units = { ms: 'ms', s: 's', sec: 's', m: 'm', min: 'm', h: 'h', hr: 'h' } as const

/** Reads `30 s, 3 nodes, 3 faults, 3 seeds`; null when one of the four is not there, or none of them. */
export function tierIn(text: string): BudgetTier | null {
  const duration = /\b(\d+(?:\.\d+)?)\s*(ms|s|sec|m|min|h|hr)(?:ond|ute|our)?s?\b/i.exec(text)
  const [nodes, faults, seeds] = ['nodes?', 'faults?', 'seeds?'].map(
    (noun) => new RegExp(String.raw`\b(\d+)\s+${noun}\b`, 'i').exec(text)?.[1],
  )
  if (duration === null || nodes === undefined || faults === undefined || seeds === undefined) return null
  const unit = units[(duration[2] ?? 's').toLowerCase() as keyof typeof units]
  const tier = {
    duration: `${Number(duration[1])}${unit}` as const,
    nodes: Number(nodes),
    faults: Number(faults),
    seeds: Number(seeds),
  }
  return Number(duration[1]) > 0 && tier.nodes > 0 && tier.seeds > 0 ? tier : null
}

/** Null when the reason or the time to look again is not given: then it discloses nothing. */
function disclosureIn(text: string): ReleaseDisclosure | null {
  const match =
    /(?:not provided|none)(?:\s*[,:]?\s*because)?\s*:?\s*(.*?)[,;.]?\s*revisit when:?\s*(.*)$/is.exec(text)
  const [notProvided, revisitWhen] = [match?.[1] ?? '', match?.[2] ?? ''].map((part) =>
    part.trim().replace(/^[\s,;.:–—-]+$/, ''),
  )
  return notProvided && revisitWhen ? { notProvided, revisitWhen } : null
}
