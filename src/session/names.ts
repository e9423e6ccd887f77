import { createHash } from 'node:crypto'

const longest = 80

/** `findings/report.md` is the report's; an empty name is no name. */
const taken: ReadonlySet<string> = new Set(['', 'report'])

/**
 * A file name for the name of a scenario: lower case letters, digits, `.`, `_` and `-`, never hidden.
 *
 * Names that had to be changed get a short digest of the original, so that two names share a file only when they are
 * equal, also on disks that do not tell upper from lower case.
 */
export function safeName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, longest)
  if (plain === name && !taken.has(name)) return name
  const digest = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return plain === '' ? digest : `${plain}-${digest}`
}

/** The directory of a session that starts at `at`, under the root: `<root>/<slug>/2026-03-01T12-30-05-250Z`. */
export function sessionDirectoryName(at: Date): string {
  return at.toISOString().replaceAll(/[:.]/g, '-')
}
