import { baseOf, folderOf, shellWord, type ToolParser } from '../tool.js'

const rule = /^([A-Za-z0-9][\w.\-/]*(?:[ \t]+[A-Za-z0-9][\w.\-/]*)*)[ \t]*::?(?![:=])/gm
const usual = /^(?:GNU)?[Mm]akefile$/

/** The targets of make files. Patterns and special targets are left out. */
export const makeTargets: ToolParser = {
  matches: (file) => usual.test(baseOf(file)) || file.endsWith('.mk'),
  parse: (file, text) => {
    const targets = [...text.matchAll(rule)].flatMap(([, names = '']) => names.split(/[ \t]+/))
    return [...new Set(targets)].map((name) => ({
      kind: 'make-target',
      name,
      command: `${makeFor(file)} ${shellWord(name)}`,
      file,
    }))
  },
}

function makeFor(file: string): string {
  if (!usual.test(baseOf(file))) return `make -f ${shellWord(file)}`
  const folder = folderOf(file)
  return folder === '' ? 'make' : `make -C ${shellWord(folder)}`
}
