import type MagicString from 'magic-string'

const packageName = 'vitest-nemesis'

/** Vitest finds tests in source text by the names `test*` and `*Test`; `scenario` alone would stay invisible. */
const discoverable = new Map([['scenario', 'scenarioTest']])

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

interface ImportSpecifier extends Node {
  readonly imported: Node & { readonly name?: string }
  readonly local: Node & { readonly name: string }
}

interface ImportDeclaration extends Node {
  readonly source: { readonly value: unknown }
  readonly specifiers: readonly ImportSpecifier[]
}

/** A parsed ES module, as Vite's `this.parse` returns it. */
export interface Program {
  readonly body: readonly Node[]
}

export interface Rewritten {
  readonly code: string
  readonly map: ReturnType<MagicString['generateMap']>
}

/**
 * Renames what a file imports from this package so that static discovery (`vitest list --static-parse`, test
 * explorers before a first run) sees scenarios as tests: `{ scenario }` becomes `{ scenarioTest as scenario }`.
 * Line numbers do not change. Returns null when there is nothing to rename.
 */
export async function renameImports(
  code: string,
  options: { readonly id: string; readonly parse: (code: string) => unknown },
): Promise<Rewritten | null> {
  if (!code.includes(packageName)) return null
  const program = options.parse(code) as Program
  // Loaded on use: most suites mention this package nowhere.
  const { default: MagicString } = await import('magic-string')
  const rewritten = new MagicString(code)
  for (const node of program.body) {
    if (node.type !== 'ImportDeclaration') continue
    const declaration = node as ImportDeclaration
    if (declaration.source.value !== packageName) continue
    for (const specifier of declaration.specifiers) rename(rewritten, specifier)
  }
  if (!rewritten.hasChanged()) return null
  return {
    code: rewritten.toString(),
    map: rewritten.generateMap({ source: options.id, hires: 'boundary', includeContent: true }),
  }
}

function rename(code: MagicString, specifier: ImportSpecifier): void {
  if (specifier.type !== 'ImportSpecifier') return
  const name = discoverable.get(specifier.imported.name ?? '')
  if (name === undefined) return
  const { imported, local } = specifier
  if (imported.start === local.start) code.appendLeft(local.start, `${name} as `)
  else code.update(imported.start, imported.end, name)
}
