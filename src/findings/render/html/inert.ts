import type { Nodes } from 'hast'

/** Control and format characters (also those that turn the direction of writing), line separators, halves of pairs. */
const misleading = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A text with everything that cannot be seen, or that misleads the eye, as `\u{202E}`. */
export function visible(text: string): string {
  return text.replaceAll(misleading, (found) => {
    const code = (found.codePointAt(0) as number).toString(16).toUpperCase()
    return `\\u{${code}}`
  })
}

/**
 * The same document with every text and attribute made visible, and without links that leave the session directory. The
 * serializer escapes what would be markup, so that texts of users stay texts. The page's own style and script are kept.
 */
export function inert<Node extends Nodes>(node: Node): Node {
  if (node.type === 'text') return { ...node, value: visible(node.value) }
  if (node.type === 'root') return { ...node, children: node.children.map(inert) }
  if (node.type !== 'element' || node.tagName === 'style' || node.tagName === 'script') return node
  const properties = Object.fromEntries(
    Object.entries(node.properties)
      .filter(([name, value]) => name !== 'href' || isWithin(String(value)))
      .map(([name, value]) => [name, typeof value === 'string' ? visible(value) : value]),
  )
  return { ...node, properties, children: node.children.map(inert) }
}

/** A place in the page, or a file of the session by its path from here: no scheme, no host, no root, no way further up. */
function isWithin(href: string): boolean {
  return href.startsWith('#') || !/^\/|[:?#\\]|(^|\/)\.\.(\/|$)/.test(href.replace(/^\.\.\//, ''))
}
