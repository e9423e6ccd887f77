import { execa } from 'execa'

const timeoutMs = 10_000

/**
 * The commit that is checked out in a directory, and whether the work tree equals it, untracked files included.
 * Null outside a git repository, before the first commit, and where git is not installed.
 */
export async function commitOf(directory: string): Promise<{ id: string; clean: boolean } | null> {
  const options = { cwd: directory, timeout: timeoutMs, reject: false } as const
  const head = await execa('git', ['rev-parse', '--verify', 'HEAD'], options)
  if (head.failed) return null
  const status = await execa('git', ['--no-optional-locks', 'status', '--porcelain'], options)
  return { id: head.stdout.trim(), clean: !status.failed && status.stdout.trim() === '' }
}
