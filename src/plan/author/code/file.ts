import MagicString from 'magic-string'
import type { ScenarioCode } from './scenario.js'

/** A new file with the imports of its scenarios, sorted, and the scenarios below one another. */
export function newFile(scenarios: readonly ScenarioCode[]): string {
  const modules = new Map<string, Set<string>>()
  for (const { imports } of scenarios) {
    for (const [module, names] of imports) {
      modules.set(module, new Set([...(modules.get(module) ?? []), ...names]))
    }
  }
  const imports = [...modules].map(([module, names]) => importLine(module, [...names]))
  return `${[imports.join('\n'), ...scenarios.map(({ lines }) => lines.join('\n'))].join('\n\n')}\n`
}

/**
 * A file with one more scenario below what it has, and with imports for what it has not. No line that is there changes, and
 * lines end as they do there. A name that the file uses for something else is imported under another one.
 */
export function addedTo(source: string, { lines, imports }: ScenarioCode): string {
  const end = lineEnd(source)
  const added: string[] = []
  let text = lines.join(end)
  for (const [module, names] of imports) {
    const others = [...names].filter((name) => !isImported(source, module, name))
    const taken = others.filter((name) => uses(source, name))
    for (const name of taken) {
      text = text.replaceAll(new RegExp(String.raw`(?<![\w.'-])${name}(?=[(.])`, 'g'), another(name))
    }
    const missing = others
      .map((name) => (taken.includes(name) ? `${name} as ${another(name)}` : name))
      .filter((name) => !isImported(source, module, name))
    if (missing.length > 0) added.push(importLine(module, missing))
  }
  const result = new MagicString(source)
  if (added.length > 0) {
    const at = endOfImports(source)
    const isAfterLine = at === startOf(source) || source[at - 1] === '\n'
    result.appendLeft(at, `${isAfterLine ? '' : end}${added.join(end)}${end}`)
  }
  result.append(`${separation(source)}${text}${end}`)
  return result.toString()
}

/** How the lines of a text end. */
export function lineEnd(source: string): '\n' | '\r\n' {
  return source.includes('\r\n') ? '\r\n' : '\n'
}

/** What stands between a text and something below it: a blank line. */
export function separation(source: string): string {
  const end = lineEnd(source)
  return `${source.endsWith('\n') || source === '' ? '' : end}${end}`
}

function importLine(module: string, names: readonly string[]): string {
  return `import { ${names.toSorted().join(', ')} } from '${module}'`
}

const importStatement =
  /^import\s[^;'"]*?from\s*['"]([^'"]+)['"];?[^\S\n]*$|^import\s*['"][^'"]+['"];?[^\S\n]*$/gm

function isImported(source: string, module: string, name: string): boolean {
  return [...source.matchAll(importStatement)].some(
    ([statement, from]) =>
      from === module &&
      !/^import\s+type\b/.test(statement) &&
      new RegExp(String.raw`[{,]\s*${name.replaceAll(' ', String.raw`\s+`)}\s*[,}]`).test(statement),
  )
}

/** Whether a name stands for something in a file: anywhere but as a property or within a longer word. */
function uses(source: string, name: string): boolean {
  return new RegExp(String.raw`(?<![\w.$])${name}(?![\w$])`).test(source)
}

function another(name: string): string {
  return `planned${name[0]?.toUpperCase()}${name.slice(1)}`
}

/** Behind a byte order mark and a line for the shell. */
function startOf(source: string): number {
  return /^\uFEFF?(?:#![^\n]*(?:\n|$))?/.exec(source)?.[0].length ?? 0
}

/** Where the last import statement ends; the beginning of the file without any. */
function endOfImports(source: string): number {
  const last = [...source.matchAll(importStatement)].at(-1)
  if (last === undefined) return startOf(source)
  const end = last.index + last[0].length
  return source[end] === '\n' ? end + 1 : end
}
