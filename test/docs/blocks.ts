import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root, textOf } from '../repo/sources.js'

/** A fenced block of a document. */
export interface Block {
  readonly document: string
  /** Of its first line of content, from 1. */
  readonly line: number
  readonly language: string
  /** What follows the language in the opening fence, such as `run`. */
  readonly flags: readonly string[]
  readonly text: string
  /** The path that the first line names: `// nemesis/store.ts`. Null for anything but a whole file. */
  readonly path: string | null
}

/** The documents that users read, by their path in the repository. */
export const documents: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

/** Every fenced block of a document, in its order. */
export function blocksOf(document: string): readonly Block[] {
  const blocks: Block[] = []
  let open: { line: number; info: string; lines: string[] } | null = null
  for (const [index, line] of textOf(document).split('\n').entries()) {
    if (!line.startsWith('```')) open?.lines.push(line)
    else if (open === null) open = { line: index + 2, info: line.slice(3).trim(), lines: [] }
    else {
      const [language = '', ...flags] = open.info.split(' ')
      const path = /^\/\/ (\S+\.m?[jt]s)$/.exec(open.lines[0] ?? '')?.[1] ?? null
      blocks.push({ document, line: open.line, language, flags, text: `${open.lines.join('\n')}\n`, path })
      open = null
    }
  }
  if (open !== null) throw new Error(`${document}:${open.line}: a fenced block is never closed`)
  return blocks
}

/** The file of a document by its path; the first one of that name, or the `nth` from 0. Throws when there is none. */
export function fileIn(document: string, path: string, nth = 0): Block {
  const block = blocksOf(document).filter((one) => one.path === path)[nth]
  if (block === undefined) throw new Error(`${document} has no ${path}`)
  return block
}
