import { existsSync } from 'node:fs'
import path from 'node:path'
import { execa } from 'execa'

const timeoutMs = 30_000

/** A formatter that the repository has installed, with how it writes one file. */
interface Formatter {
  readonly name: string
  readonly write: (file: string) => readonly string[]
}

const formatters: readonly Formatter[] = [
  { name: 'oxfmt', write: (file) => [file] },
  { name: 'biome', write: (file) => ['format', '--write', file] },
  { name: 'dprint', write: (file) => ['fmt', '--', file] },
  { name: 'prettier', write: (file) => ['--write', '--', file] },
]

/**
 * Formats a file with the formatter that is installed nearest to it in the repository, and resolves to its name. Null when there is none,
 * or when it refuses the file: it then stays as it was written.
 */
export async function format(file: string, root: string): Promise<string | null> {
  const formatter = installedFor(file, root)
  if (formatter === null) return null
  const ended = await execa(formatter.program, formatter.write(file), {
    cwd: root,
    timeout: timeoutMs,
    reject: false,
    stdin: 'ignore',
  })
  return ended.failed ? null : formatter.name
}

/** A package of a workspace may have a formatter of its own. */
function installedFor(file: string, root: string): (Formatter & { readonly program: string }) | null {
  let folder = path.dirname(file)
  for (;;) {
    const programs = formatters.map((one) => ({
      ...one,
      program: path.join(folder, 'node_modules', '.bin', one.name),
    }))
    const found = programs.find(({ program }) => existsSync(program))
    if (found !== undefined) return found
    if (path.relative(root, folder) === '' || folder === path.dirname(folder)) return null
    folder = path.dirname(folder)
  }
}
