import type { ToolParser } from '../tool.js'

/** An arm of a match over the words of the command line, or a variant of a clap enum. */
const arm = /(?:^|[\s(|])(?:Some\()?"([a-z][\w-]*)"\)?\s*(?:\|[^=\n]*)?=>/g

/** The commands of `cargo xtask`, as far as its main file matches them by name. */
export const xtaskCommands: ToolParser = {
  matches: (file) => /(?:^|\/)xtask\/src\/main\.rs$/.test(file),
  parse: (file, text) => {
    const names = [...new Set([...text.matchAll(arm)].map(([, name = '']) => name))]
    if (names.length === 0) return [{ kind: 'xtask', name: 'xtask', command: 'cargo xtask', file }]
    return names.map((name) => ({ kind: 'xtask', name, command: `cargo xtask ${name}`, file }))
  },
}
