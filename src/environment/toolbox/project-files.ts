import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'

/** The files of a project, relative to its root, with `/` between their parts, in order. */
export interface ProjectFiles {
  readonly files: readonly string[]
  /** True when there are more than were listed. */
  readonly truncated: boolean
}

const gitTimeoutMs = 20_000
const gitOutputBytes = 64 * 1024 * 1024
const deepest = 12

/** Code of others, and what builds leave behind. */
const foreign = /(?:^|\/)(?:node_modules|vendor|third_party|Godeps|\.git|\.venv|venv|__pycache__)\//

/** Left out of a walk, where nothing says which files are built. */
const built: ReadonlySet<string> = new Set(['dist', 'build', 'target', 'out', 'coverage', 'test-sessions'])

/**
 * Lists what git tracks and what it would track, so that `.gitignore` is respected; without git or a repository it walks the
 * folders, follows no links, and leaves out what is usually built. Never more than `most` files.
 */
export async function projectFiles(root: string, most: number): Promise<ProjectFiles> {
  const listed = (await listedByGit(root)) ?? (await walked(root, most))
  const own = listed.filter((file) => !foreign.test(file)).toSorted()
  return { files: own.slice(0, most), truncated: own.length > most }
}

async function listedByGit(root: string): Promise<string[] | null> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const result = await execa('git', args, {
    cwd: root,
    reject: false,
    timeout: gitTimeoutMs,
    maxBuffer: gitOutputBytes,
  })
  if (result.failed) return null
  return [...new Set(result.stdout.split('\0').filter((file) => file !== ''))]
}

async function walked(root: string, most: number): Promise<string[]> {
  const files: string[] = []
  let folders = ['']
  for (let depth = 0; depth <= deepest && folders.length > 0; depth += 1) {
    const next: string[] = []
    for (const folder of folders) {
      if (files.length > most) return files
      for (const entry of await entriesOf(join(root, folder))) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        if (entry.isFile()) files.push(path)
        if (entry.isDirectory() && !built.has(entry.name) && !foreign.test(`${path}/`)) next.push(path)
      }
    }
    folders = next
  }
  return files
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch {
    // A folder that may not be read has nothing to offer.
    return []
  }
}
