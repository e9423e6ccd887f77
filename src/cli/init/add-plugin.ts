import MagicString from 'magic-string'

export type PluginChange =
  | { readonly kind: 'present' }
  | { readonly kind: 'added'; readonly text: string }
  | { readonly kind: 'by-hand'; readonly reason: string; readonly lines: readonly string[] }

const importLine = "import { nemesis } from 'vitest-nemesis/plugin'"

/**
 * Adds the plugin to the text of a Vitest or Vite config, if that has the common form
 * `export default defineConfig({ … })`, with its plugins in one array of its own line or with none.
 * Anything else is left for its owner, with the lines to add.
 */
export function addPlugin(text: string): PluginChange {
  if (text.includes('vitest-nemesis/plugin')) return { kind: 'present' }
  const byHand = (reason: string): PluginChange => ({
    kind: 'by-hand',
    reason,
    lines: [importLine, 'plugins: [nemesis()],'],
  })
  if (/\bnemesis\b/.test(text)) return byHand('the name nemesis is taken in it')
  if (!/^import\s/m.test(text) || /\brequire\(/.test(text)) return byHand('it has no imports')
  const opening = [...text.matchAll(/^export default defineConfig\(\{[ \t]*(\n([ \t]+))?/gm)]
  const [start] = opening
  if (start === undefined || opening.length > 1 || start[2] === undefined) {
    return byHand('it is not of the form `export default defineConfig({ … })`')
  }
  const indent = start[2]
  const arrays = [...text.matchAll(/\bplugins\b/g)]
  const changed = new MagicString(text)
  changed.prepend(`${importLine}\n`)
  if (arrays.length === 0) {
    changed.appendLeft(start.index + start[0].length, `plugins: [nemesis()],\n${indent}`)
    return { kind: 'added', text: changed.toString() }
  }
  const property = new RegExp(`^${indent}plugins: \\[`, 'm').exec(text)
  if (property === null || arrays.length > 1 || property.index < start.index) {
    return byHand('its plugins are not in one plain array')
  }
  const end = property.index + property[0].length
  const empty = /^\s*\]/.test(text.slice(end))
  changed.appendLeft(
    end,
    empty ? 'nemesis()' : text[end] === '\n' ? `\n${indent}${indent}nemesis(),` : 'nemesis(), ',
  )
  return { kind: 'added', text: changed.toString() }
}
