import type { RootContent, Table, TableRow } from 'mdast'
import { toString } from 'mdast-util-to-string'
import type { Position, Text } from '../position.js'
import { normalized } from './labels.js'
import { positionOf } from './read.js'

/** A table of a plan; a cell without text is null. */
export interface PlanTable {
  readonly at: Position
  readonly header: readonly string[]
  readonly rows: readonly PlanRow[]
}

export interface PlanRow {
  readonly at: Position
  readonly cells: readonly (Text | null)[]
}

/** The tables among the blocks, also those within lists and quotes. */
export function tablesIn(blocks: readonly RootContent[]): PlanTable[] {
  return blocks.flatMap((block) => {
    if (block.type === 'table') return [planTable(block)]
    return 'children' in block ? tablesIn(block.children) : []
  })
}

/** A table as rows of cells. */
export function planTable(table: Table): PlanTable {
  const [header, ...rows] = table.children
  return {
    at: positionOf(table),
    header: (header?.children ?? []).map((cell) => toString(cell).trim()),
    rows: rows.map(planRow).filter(({ cells }) => cells.some((cell) => cell !== null)),
  }
}

function planRow(row: TableRow): PlanRow {
  return {
    at: positionOf(row),
    cells: row.children.map((cell) => {
      const text = toString(cell).trim()
      return text === '' || text === '-' ? null : { text, at: positionOf(cell) }
    }),
  }
}

/**
 * Reads the cells of rows by the names of their columns, whichever words a plan uses for them: a name matches a header
 * that begins with it, in any case.
 */
export function columnReader(table: PlanTable): (row: PlanRow, ...names: readonly string[]) => Text | null {
  const headers = table.header.map(normalized)
  return (row, ...names) => {
    for (const name of names) {
      const index = headers.findIndex((header) => header.startsWith(name))
      if (index !== -1) return row.cells[index] ?? null
    }
    return null
  }
}

/** The first table with columns of all these names. */
export function tableWith(tables: readonly PlanTable[], ...names: readonly string[]): PlanTable | null {
  const has = (table: PlanTable, name: string) =>
    table.header.some((header) => normalized(header).startsWith(name))
  return tables.find((table) => names.every((name) => has(table, name))) ?? null
}
