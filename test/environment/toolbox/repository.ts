import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { execa } from 'execa'
import { temporaryDirectory } from '../../support/temporary.js'

export const layouts = ['etcd', 'tikv', 'testcontainers-node'] as const
export type Layout = (typeof layouts)[number]

/** Runs git in a repository of a test, as somebody. */
export function gitIn(root: string) {
  return async (...args: string[]) => {
    const person = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid']
    const { stdout } = await execa('git', [...person, ...args], { cwd: root, timeout: 30_000 })
    return stdout
  }
}

/** The files of a layout in test/fixtures/repositories, by their paths. */
export async function filesOfLayout(layout: Layout): Promise<Map<string, string>> {
  const file = new URL(`../../fixtures/repositories/${layout}.txt`, import.meta.url)
  const [, ...parts] = (await readFile(file, 'utf8')).split(/^-- (.+) --\n/m)
  return new Map(
    parts.flatMap((path, index) => (index % 2 === 0 ? [[path, parts[index + 1] ?? ''] as const] : [])),
  )
}

/** A git repository of a layout, everything committed. */
export async function repositoryOf(layout: Layout): Promise<string> {
  return repositoryWith(await filesOfLayout(layout))
}

/** A git repository with these files, committed. */
export async function repositoryWith(files: ReadonlyMap<string, string>): Promise<string> {
  const root = await temporaryDirectory()
  await writeFiles(root, files)
  const git = gitIn(root)
  await git('init', '--quiet')
  await git('add', '--all')
  await git('commit', '--quiet', '-m', 'Begin')
  return root
}

export async function writeFiles(root: string, files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
}
