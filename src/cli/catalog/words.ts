import type { PhrasingContent } from 'mdast'
import { code, list, type Block, type Inline } from '../../findings/render/markdown.js'

/** A text of the catalog: what stands between backticks becomes code. */
export function prose(text: string): Inline[] {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? code(part) : part))
    .filter((part) => part !== '')
}

/** The first letter in upper case, as at the start of a sentence. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

export function link(url: string, label: string): PhrasingContent {
  return { type: 'link', url, children: [{ type: 'text', value: label }] }
}

/** A list of texts of the catalog. */
export function items(texts: readonly string[]): Block {
  return list(texts.map(prose))
}

/** Names as code, with commas between. */
export function codes(names: readonly string[]): Inline[] {
  return names.flatMap((name, index) => (index === 0 ? [code(name)] : [', ', code(name)]))
}
