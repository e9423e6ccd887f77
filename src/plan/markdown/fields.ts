import type { ListItem, Paragraph, PhrasingContent, RootContent, Table } from 'mdast'
import { toString } from 'mdast-util-to-string'
import type { Text } from '../position.js'
import { normalized } from './labels.js'
import { positionOf, textOf } from './read.js'
import { planTable } from './tables.js'

/** Labelled values of a part of a plan, in order: `- **Workload:** 8 clients`. */
export type Fields = readonly Field[]

interface Field {
  /** Normalized. */
  readonly label: string
  /** Null when nothing follows the label. */
  readonly value: Text | null
}

/**
 * The fields among the blocks: items of lists that begin with a label and a colon, lines of paragraphs that begin with such
 * a label in bold, and the rows of tables of two columns. What stands within an item belongs to its value.
 */
export function fieldsIn(blocks: readonly RootContent[]): Fields {
  return blocks.flatMap((block) => {
    if (block.type === 'list') return block.children.flatMap((item) => fieldOf(item, textOf(item)))
    if (block.type === 'paragraph') return labelledLines(block).flatMap(([node, text]) => fieldOf(node, text))
    return block.type === 'table' ? rowsAsFields(block) : []
  })
}

const labelled = /^([^:\n]{1,80}?)\s*:\s*/

function fieldOf(node: ListItem | PhrasingContent, text: string): Field[] {
  const match = labelled.exec(text)
  if (match === null) return []
  return [fieldWith(match[1] ?? '', { text: text.slice(match[0].length).trim(), at: positionOf(node) })]
}

function fieldWith(label: string, value: Text | null): Field {
  return { label: normalized(label), value: value?.text === '' ? null : value }
}

/** A paragraph cut where a line of it begins in bold. */
function labelledLines({ children }: Paragraph): [start: PhrasingContent, text: string][] {
  const lines: [start: PhrasingContent, text: string][] = []
  let before = '\n'
  for (const child of children) {
    const text = child.type === 'break' ? '\n' : toString(child)
    const last = lines.at(-1)
    if (child.type === 'strong' && before.endsWith('\n')) lines.push([child, text])
    else if (last !== undefined) last[1] += text
    before = text
  }
  return lines.map(([start, text]) => [start, text.trim()])
}

function rowsAsFields(table: Table): Field[] {
  const { header, rows } = planTable(table)
  if (header.length !== 2) return []
  return rows.map(({ cells: [label, value] }) =>
    fieldWith(label?.text.replace(/\s*:$/, '') ?? '', value ?? null),
  )
}

/** The value of the first field whose label begins with one of the names. */
export function field(fields: Fields, ...names: readonly string[]): Text | null {
  for (const name of names) {
    const found = fields.find(({ label }) => label === name || label.startsWith(`${name} `))
    if (found !== undefined) return found.value
  }
  return null
}
