import type { Language } from './language.js'

/** Import statements of a source text, and the text without them. */
export interface Imports {
  /** What is imported, as `module` or `module name`. */
  readonly names: ReadonlySet<string>
  /** True when something is imported for what it does, not for its names. */
  readonly forEffect: boolean
  readonly rest: string
}

const javascript = /^[ \t]*import\b\s*(type\s)?([^'";]*?)(?:\bfrom\s*)?(['"])([^'"\n]+)\3[^\n;]*;?/gm
const goGroup = /^import\s*\(([^)]*)\)/gm
const goSingle = /^import[ \t]+([\w.]+[ \t]+)?("[^"\n]+")/gm
const rust = /^[ \t]*use\s+([^;]+);/gm
const python = /^(?:from[ \t]+(\S+)[ \t]+import[ \t]+(\([^)]*\)|[^\n]+)|import[ \t]+([^\n]+))/gm
const jvm = /^import[ \t]+([^\n;]+);?/gm

/** Reads the imports of a text without comments. Null for a language whose imports are not known. */
export function importsOf(text: string, { name }: Language): Imports | null {
  const names = new Set<string>()
  let forEffect = false
  const add = (module: string, list: readonly string[]) => {
    names.add(module)
    for (const one of list) names.add(`${module} ${one}`)
  }
  const cut = (pattern: RegExp, read: (...groups: string[]) => void, source: string) =>
    source.replaceAll(pattern, (_: string, ...groups: string[]) => {
      read(...groups)
      return ''
    })
  switch (name) {
    case 'javascript': {
      const rest = cut(
        javascript,
        (_type, bindings, _quote, module = '') => {
          const list = listed(bindings ?? '')
          if (list.length === 0) forEffect = true
          add(module, list)
        },
        text,
      )
      return { names, forEffect, rest }
    }
    case 'go': {
      const line = (spec: string) => {
        const match = /^(?:([\w.]+)\s+)?"([^"]+)"/.exec(spec.trim())
        if (match === null) return
        if (match[1] === '_' || match[1] === '.') forEffect = true
        add(match[2] ?? '', match[1] === undefined ? [] : [match[1]])
      }
      const rest = cut(goGroup, (body = '') => body.split('\n').forEach(line), text)
      return {
        names,
        forEffect,
        rest: cut(goSingle, (alias = '', path = '') => line(`${alias}${path}`), rest),
      }
    }
    case 'rust':
      return {
        names,
        forEffect,
        rest: cut(
          rust,
          (path = '') => rustPaths(path.replaceAll(/\s+/g, ' ')).forEach((one) => names.add(one)),
          text,
        ),
      }
    case 'python': {
      const rest = cut(
        python,
        (from, imported, plain) => {
          if (plain !== undefined) plain.split(',').forEach((one) => names.add(one.trim()))
          else add(from ?? '', listed(imported ?? ''))
        },
        text,
      )
      return { names, forEffect, rest }
    }
    case 'jvm':
      return { names, forEffect, rest: cut(jvm, (path = '') => void names.add(path.trim()), text) }
    case 'c':
      return null
  }
}

function listed(bindings: string): string[] {
  return bindings
    .replaceAll(/[{}()]/g, ',')
    .split(',')
    .map((one) => one.trim().replaceAll(/\s+/g, ' '))
    .filter((one) => one !== '')
}

/** `a::{b, c::d}` as `a::b` and `a::c::d`. */
function rustPaths(path: string): string[] {
  const open = path.indexOf('{')
  if (open === -1) return [path.trim()]
  const prefix = path.slice(0, open).trim()
  const inner = path.slice(open + 1, path.lastIndexOf('}'))
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at <= inner.length; at += 1) {
    if (inner[at] === '{') depth += 1
    if (inner[at] === '}') depth -= 1
    if (at === inner.length || (inner[at] === ',' && depth === 0)) {
      parts.push(inner.slice(start, at).trim())
      start = at + 1
    }
  }
  return parts.filter((part) => part !== '').flatMap((part) => rustPaths(`${prefix}${part}`))
}
