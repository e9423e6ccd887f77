import type { ElementContent, RootContent } from 'hast'
import { h } from 'hastscript'
import { toHast } from 'mdast-util-to-hast'
import { isVerdict, verdictBadge } from './verdict-badge.js'
import type { Block } from '../markdown.js'

/**
 * Blocks of the Markdown report as HTML: the same words in both. `top` is the level that a heading of level 1 has here.
 * Folded blocks fold here too; there is no other HTML in them.
 */
export function htmlOf(blocks: readonly Block[], { top }: { readonly top: number }): ElementContent[] {
  const outer: ElementContent[] = []
  let open: { readonly summary: string; readonly inside: ElementContent[] } | null = null
  for (const block of blocks) {
    const summary = block.type === 'html' ? foldStart.exec(block.value)?.[1] : undefined
    if (summary !== undefined) open = { summary, inside: [] }
    else if (block.type === 'html' && open !== null) {
      outer.push(h('details', [h('summary', open.summary), ...open.inside]))
      open = null
    } else (open?.inside ?? outer).push(...elementsOf(block, top))
  }
  return outer
}

const foldStart = /^<details>\n<summary>(.*)<\/summary>$/

function elementsOf(block: Block, top: number): ElementContent[] {
  const root = toHast({ type: 'root', children: [block] })
  const children: readonly RootContent[] = root.type === 'root' ? root.children : []
  return children.flatMap((node) =>
    node.type === 'doctype' || (node.type === 'text' && node.value.trim() === '') ? [] : [dressed(node, top)],
  )
}

/** Verdicts get their badge, wide tables a frame to scroll in, and headings the level that they have in the page. */
function dressed(node: ElementContent, top: number): ElementContent {
  if (node.type !== 'element') return node
  const [only, ...others] = node.children
  if (node.tagName === 'strong' && others.length === 0 && only?.type === 'text' && isVerdict(only.value)) {
    return verdictBadge(only.value)
  }
  const children = node.children.map((child) => dressed(child, top))
  const level = /^h([1-6])$/.exec(node.tagName)?.[1]
  if (level !== undefined) {
    return { ...node, tagName: `h${Math.min(6, Number(level) + top - 1)}`, children }
  }
  if (node.tagName !== 'table') return { ...node, children }
  return scrollable({ ...node, children }, headerOf(node))
}

/** A frame in which something wide can be moved, also by the keyboard. */
export function scrollable(content: ElementContent, label: string): ElementContent {
  return h('div.scroll', { tabIndex: 0, role: 'group', ariaLabel: label }, content)
}

function headerOf(table: ElementContent): string {
  const titles: string[] = []
  const visit = (node: ElementContent, inHeader: boolean) => {
    if (node.type === 'text' && inHeader && node.value.trim() !== '') titles.push(node.value)
    if (node.type !== 'element') return
    for (const child of node.children) visit(child, inHeader || node.tagName === 'th')
  }
  visit(table, false)
  return `Table: ${titles.join(', ')}`
}
