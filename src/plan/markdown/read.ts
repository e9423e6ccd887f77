import type { Nodes, Parent, Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { toString } from 'mdast-util-to-string'
import { gfmTable } from 'micromark-extension-gfm-table'
import type { Position, Text } from '../position.js'

/** The tree of a Markdown document in GitHub's dialect as far as tables go, without the HTML that no reader sees. */
export function readMarkdown(text: string): Root {
  const root = fromMarkdown(text, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] })
  dropHtml(root)
  return root
}

/** Takes tags and comments out; a `<br>`, by which writers break the lines of a cell, becomes a blank. */
function dropHtml(node: Parent): void {
  node.children = node.children.flatMap((child) => {
    if (child.type === 'html') return /^<br\b/i.test(child.value) ? [{ type: 'text', value: ' ' }] : []
    if ('children' in child) dropHtml(child)
    return [child]
  })
}

export function positionOf(node: Nodes): Position {
  const { line, column } = node.position?.start ?? { line: 1, column: 1 }
  return { line, column }
}

/** What a reader sees of a node, each paragraph, list item, table row and line of code on lines of its own. */
export function textOf(node: Nodes): string {
  if (node.type === 'heading' || node.type === 'paragraph' || !('children' in node))
    return toString(node).trim()
  if (node.type === 'tableRow') return node.children.map((cell) => toString(cell).trim()).join(' | ')
  return node.children
    .map(textOf)
    .filter((text) => text !== '')
    .join('\n')
}

/** The text of a node with its place; null when there is nothing to see. */
export function locatedText(node: Nodes | undefined): Text | null {
  if (node === undefined) return null
  const text = textOf(node)
  return text === '' ? null : { text, at: positionOf(node) }
}
