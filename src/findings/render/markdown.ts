import type {
  BlockContent,
  InlineCode,
  PhrasingContent,
  Root,
  RootContent,
  Table,
  TableRow,
  Text,
} from 'mdast'
import { gfmTableToMarkdown } from 'mdast-util-gfm-table'
import { toMarkdown } from 'mdast-util-to-markdown'

/** Small constructors for Markdown trees. What is text stays text: the serializer escapes it where it must. */
export type Block = RootContent
export type Inline = string | PhrasingContent
/** The content of one table cell or list item. */
export type Content = Inline | readonly Inline[]

export function heading(depth: 1 | 2 | 3, content: Content): Block {
  return { type: 'heading', depth, children: inlines(content) }
}

export function paragraph(content: Content): BlockContent {
  return { type: 'paragraph', children: inlines(content) }
}

export function list(items: readonly Content[]): Block {
  return {
    type: 'list',
    ordered: false,
    spread: false,
    children: items.map((item) => ({ type: 'listItem', spread: false, children: [paragraph(item)] })),
  }
}

export function table(header: readonly Content[], rows: readonly (readonly Content[])[]): Table {
  return { type: 'table', children: [row(header), ...rows.map(row)] }
}

function row(cells: readonly Content[]): TableRow {
  return {
    type: 'tableRow',
    children: cells.map((cell) => ({ type: 'tableCell', children: inlines(cell) })),
  }
}

export function codeBlock(language: string, value: string): Block {
  return { type: 'code', lang: language, value }
}

/** Verbatim text on one line. An empty one would not be valid Markdown, and becomes a dash. */
export function code(text: string): InlineCode | Text {
  const value = inOneLine(text)
  return value.trim() === '' ? { type: 'text', value: '-' } : { type: 'inlineCode', value }
}

export function strong(value: string): PhrasingContent {
  return { type: 'strong', children: [{ type: 'text', value }] }
}

/** `**Label:** content` */
export function labelled(label: string, content: Content): Inline[] {
  return [strong(`${label}:`), ' ', ...inlines(content)]
}

/** A link to a file, by its path relative to the document. */
export function fileLink(path: string, label: string): PhrasingContent {
  return linkTo(path, { type: 'text', value: label })
}

/** What is shown as a link to a file, by its path relative to the document. */
export function linkTo(path: string, shown: InlineCode | Text): PhrasingContent {
  return { type: 'link', url: encodeURI(path), children: [shown] }
}

/** Blocks that a reader opens. `summary` is ours: it is written as it is. */
export function folded(summary: string, blocks: readonly Block[]): Block[] {
  return [html(`<details>\n<summary>${summary}</summary>`), ...blocks, html('</details>')]
}

function html(value: string): Block {
  return { type: 'html', value }
}

/** Puts a separator between the items. */
export function joined(items: readonly Content[], separator: string): Inline[] {
  return items.flatMap((item, index) => (index === 0 ? inlines(item) : [separator, ...inlines(item)]))
}

function inlines(content: Content): PhrasingContent[] {
  const items: readonly Inline[] = Array.isArray(content) ? content : [content as Inline]
  return items.map((item) => (typeof item === 'string' ? { type: 'text', value: inOneLine(item) } : item))
}

/** Line ends would break a table; control characters and those that turn the direction of writing mislead a reader. */
function inOneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
}

/** The Markdown (GitHub's) of a document. */
export function renderMarkdown(blocks: readonly Block[]): string {
  const root: Root = { type: 'root', children: [...blocks] }
  return toMarkdown(root, {
    bullet: '-',
    emphasis: '_',
    extensions: [gfmTableToMarkdown({ tablePipeAlign: false })],
  })
}
