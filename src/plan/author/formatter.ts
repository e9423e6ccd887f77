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
 * Formats a file with the formatter that is installed in the repository, and resolves to its name. Null when there is none,
 * or when it refuses the file: it then stays as it was written.
 */
export async function format(file: string, root: string): Promise<string | null> {
  const found = formatters.flatMap((formatter) => {
    const program = path.join(root, 'node_modules', '.bin', formatter.name)
    return existsSync(program) ? [{ ...formatter, program }] : []
  })
  const [formatter] = found
  if (formatter === undefined) return null
  const ended = await execa(formatter.program, formatter.write(file), {
    cwd: root,
    timeout: timeoutMs,
    reject: false,
    stdin: 'ignore',
  })
  return ended.failed ? null : formatter.name
}
