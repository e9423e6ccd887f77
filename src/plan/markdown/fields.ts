import type { ListItem, Paragraph, RootContent } from 'mdast'
import { toString } from 'mdast-util-to-string'
import type { Text } from '../position.js'
import { normalized } from './labels.js'
import { positionOf, textOf } from './read.js'

/** Labelled values of a part of a plan, in order: `- **Workload:** 8 clients`. */
export type Fields = readonly Field[]

interface Field {
  /** Normalized. */
  readonly label: string
  /** Null when nothing follows the label. */
  readonly value: Text | null
}

/**
 * The fields among the blocks: items of lists and paragraphs that begin with a label and a colon. Code, quotes and
 * lists that follow a label paragraph or stand within an item belong to its value.
 */
export function fieldsIn(blocks: readonly RootContent[]): Fields {
  return blocks.flatMap((block) => {
    if (block.type === 'list') return block.children.flatMap((item) => fieldOf(item) ?? [])
    if (block.type === 'paragraph' && block.children[0]?.type === 'strong') return fieldOf(block) ?? []
    return []
  })
}

const labelled = /^([^:\n]{1,80}?)\s*:\s*/

function fieldOf(node: ListItem | Paragraph): Field | null {
  const text = node.type === 'paragraph' ? toString(node).trim() : textOf(node)
  const match = labelled.exec(text)
  if (match === null) return null
  const value = text.slice(match[0].length).trim()
  return {
    label: normalized(match[1] ?? ''),
    value: value === '' ? null : { text: value, at: positionOf(node) },
  }
}

/** The value of the first field whose label begins with one of the names. */
export function field(fields: Fields, ...names: readonly string[]): Text | null {
  for (const name of names) {
    const found = fields.find(({ label }) => label === name || label.startsWith(`${name} `))
    if (found !== undefined) return found.value
  }
  return null
}
