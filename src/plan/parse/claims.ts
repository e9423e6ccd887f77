import type { SectionPart } from '../markdown/parts.js'
import { columnReader, tablesIn, tableWith } from '../markdown/tables.js'
import type { PlanClaim } from '../plan.js'
import type { Text } from '../position.js'

/** Section 1b: the table of claims, `| ID | Claim | Category | Source | Inferred? |`. */
export function parseClaims(part: SectionPart | undefined): PlanClaim[] {
  const table = part === undefined ? null : tableWith(tablesIn(part.blocks), 'id', 'claim')
  if (table === null) return []
  const read = columnReader(table)
  return table.rows.map((row) => ({
    at: row.at,
    id: read(row, 'id')?.text ?? '',
    text: read(row, 'claim')?.text ?? '',
    categories: listed(read(row, 'categor')),
    source: read(row, 'source'),
    inferred: read(row, 'inferred'),
  }))
}

function listed(cell: Text | null): Text[] {
  if (cell === null) return []
  return cell.text
    .replaceAll(/\([^()]*\)/g, ' ')
    .split(/[,;/&+]|\band\b/)
    .map((item) => item.trim().toLowerCase().replaceAll(/\s+/g, '-'))
    .filter((item) => item !== '')
    .map((text) => ({ text, at: cell.at }))
}
