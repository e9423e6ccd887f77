import { baseOf, folderOf, shellWord, type ToolParser } from '../tool.js'

/** A recipe at the start of a line: its name, its parameters, a colon that is no assignment. */
const recipe = /^@?([A-Za-z][\w-]*)(?:[ \t]+[^:\n]*)?:(?!=)/gm

/** The recipes of justfiles; private ones, which begin with `_`, are left out. */
export const justRecipes: ToolParser = {
  matches: (file) => /^\.?justfile$/i.test(baseOf(file)) || file.endsWith('.just'),
  parse: (file, text) =>
    [...new Set([...text.matchAll(recipe)].map(([, name = '']) => name))]
      .filter((name) => !['set', 'alias', 'import', 'mod', 'export'].includes(name))
      .map((name) => ({
        kind: 'just-recipe',
        name,
        command: `${folderOf(file) === '' && !file.endsWith('.just') ? 'just' : `just --justfile ${shellWord(file)}`} ${name}`,
        file,
      })),
}
