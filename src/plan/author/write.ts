import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { writeAtomically } from '../../session/write-atomically.js'
import type { FileChange } from './changes.js'
import { format } from './formatter.js'

const gitTimeoutMs = 10_000

/** What became of the files that were written. */
export interface Written {
  /** Name of the formatter that went over new files; null without one. */
  readonly formatter: string | null
  /** Why nothing is staged, in words; null when all of it is. Nothing is ever committed. */
  readonly unstaged: string | null
}

/** Writes the files, formats the new ones, and stages all of them. A file that was there keeps the format that it has. */
export async function writeChanges(changes: readonly FileChange[], root: string): Promise<Written> {
  let formatter: string | null = null
  for (const { file, before, after } of changes) {
    await mkdir(path.dirname(file), { recursive: true })
    await writeAtomically(file, after)
    if (before === null) formatter = (await format(file, root)) ?? formatter
  }
  if (changes.length === 0) return { formatter, unstaged: null }
  const files = changes.map(({ file }) => path.relative(root, file))
  const added = await execa('git', ['add', '--', ...files], {
    cwd: root,
    timeout: gitTimeoutMs,
    reject: false,
  })
  return { formatter, unstaged: added.failed ? whyNot(added.stderr) : null }
}

function whyNot(stderr: string | undefined): string {
  if (stderr === undefined || stderr === '') return 'git could not be run'
  if (/not a git repository/i.test(stderr)) return 'there is no git repository'
  return /ignored by one of your/i.test(stderr)
    ? 'git ignores a target'
    : (stderr.split('\n')[0] ?? '').replace(/^\w+: /, '')
}
