import { execa } from 'execa'
import { PlanError } from '../../../errors.js'

/** A file that a change touches, with its text on both sides; null where there is none, or no text. */
export interface ChangedFile {
  readonly file: string
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed'
  readonly before: string | null
  readonly after: string | null
}

/** What lies between two commits. */
export interface Change {
  /** `A..B` by the abbreviated ids of the commits. */
  readonly label: string
  /** Subjects of the commits, the newest first. */
  readonly subjects: readonly string[]
  readonly files: readonly ChangedFile[]
}

const timeoutMs = 30_000
const mostBytes = 64 * 1024 * 1024
const mostFiles = 500
const mostFileBytes = 512 * 1024
const mostSubjects = 10
/** The tree without files, before the first commit; git knows it by this id. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

/**
 * Reads a change from git: `REV` is that commit alone, `A..B` what B has and A had not, `A...B` the same since they parted.
 * Throws PlanError when the repository does not know it.
 */
export async function readChange(root: string, revisions: string): Promise<Change> {
  const { from, to } = await endsOf(root, revisions)
  const listed = await git(root, ['diff', '--name-status', '-z', '-M', from, to], revisions)
  const entries = entriesOf(listed)
  if (entries.length === 0) {
    throw unusable(
      revisions,
      'nothing changes between these revisions',
      'name a commit, or a range such as main..HEAD',
    )
  }
  const files: ChangedFile[] = []
  for (const { status, file, earlier } of entries.slice(0, mostFiles)) {
    files.push({
      file,
      status,
      before: status === 'added' ? null : await textAt(root, from, earlier),
      after: status === 'deleted' ? null : await textAt(root, to, file),
    })
  }
  const range = from === emptyTree ? [to] : [`${from}..${to}`]
  const subjects = await git(root, ['log', `-${mostSubjects}`, '--format=%s', ...range], revisions)
  return {
    label:
      from === emptyTree
        ? `the first commit, ${to.slice(0, 10)}`
        : `${from.slice(0, 10)}..${to.slice(0, 10)}`,
    subjects: subjects.split('\n').filter((line) => line !== ''),
    files,
  }
}

async function endsOf(root: string, revisions: string): Promise<{ from: string; to: string }> {
  const range = /^(.*?)(\.\.\.?)(.*)$/.exec(revisions)
  if (range === null) {
    const to = await commit(root, revisions, revisions)
    return { from: (await find(root, `${to}^`)) ?? emptyTree, to }
  }
  const [, first = '', dots = '', second = ''] = range
  const from = await commit(root, first || 'HEAD', revisions)
  const to = await commit(root, second || 'HEAD', revisions)
  if (dots === '..') return { from, to }
  return { from: (await git(root, ['merge-base', from, to], revisions)).trim(), to }
}

async function commit(root: string, revision: string, revisions: string): Promise<string> {
  const id = await find(root, revision)
  if (id !== null) return id
  throw unusable(
    revisions,
    `this repository knows no commit "${revision}"`,
    'see `git log --oneline` for those there are',
  )
}

async function find(root: string, revision: string): Promise<string | null> {
  const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]
  const result = await execa('git', args, { cwd: root, reject: false, timeout: timeoutMs })
  return result.failed ? null : (result.stdout.trim().split('\n').at(-1) ?? null)
}

async function git(root: string, args: readonly string[], revisions: string): Promise<string> {
  const result = await execa('git', args, {
    cwd: root,
    reject: false,
    timeout: timeoutMs,
    maxBuffer: mostBytes,
  })
  if (!result.failed) return result.stdout
  throw unusable(
    revisions,
    `git ${args[0]} failed: ${result.stderr.split('\n')[0] ?? ''}`,
    'run it in a git repository',
  )
}

async function textAt(root: string, commitId: string, file: string): Promise<string | null> {
  const result = await execa('git', ['cat-file', 'blob', `${commitId}:${file}`], {
    cwd: root,
    reject: false,
    timeout: timeoutMs,
    maxBuffer: mostFileBytes,
    stripFinalNewline: false,
  })
  return result.failed || result.stdout.includes('\0') ? null : result.stdout
}

const statuses = { A: 'added', D: 'deleted', R: 'renamed', C: 'added' } as const

function entriesOf(listed: string) {
  const words = listed.split('\0')
  const entries: { status: ChangedFile['status']; file: string; earlier: string }[] = []
  for (let at = 0; at + 1 < words.length;) {
    const letter = (words[at] ?? '').charAt(0)
    const status = letter in statuses ? statuses[letter as keyof typeof statuses] : 'modified'
    const earlier = words[at + 1] ?? ''
    const hasTwo = letter === 'R' || letter === 'C'
    entries.push({ status, earlier, file: hasTwo ? (words[at + 2] ?? '') : earlier })
    at += hasTwo ? 3 : 2
  }
  return entries
}

function unusable(revisions: string, what: string, hint: string): PlanError {
  return new PlanError('change', `--change ${revisions}`, undefined, what, hint)
}
