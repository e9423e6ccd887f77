import { lstat, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectFiles } from './project-files.js'

/** The files of a project and the texts of those that were read. */
export interface Project {
  readonly files: readonly string[]
  readonly texts: ReadonlyMap<string, string>
  /** True when something was left out because there is too much of it. */
  readonly truncated: boolean
}

const mostFiles = 20_000
const mostFileBytes = 256 * 1024
const mostBytes = 64 * 1024 * 1024

/** Lists a project and reads the files that are wanted: regular ones that are text, within bounds. Follows no links. */
export async function readProject(root: string, wanted: (file: string) => boolean): Promise<Project> {
  const { files, truncated } = await projectFiles(root, mostFiles)
  const texts = new Map<string, string>()
  let bytes = 0
  let full = false
  for (const file of files) {
    if (!wanted(file)) continue
    const text = await textOf(join(root, file))
    if (text === null) continue
    bytes += text.length
    if (bytes > mostBytes) {
      full = true
      break
    }
    texts.set(file, text)
  }
  return { files, texts, truncated: truncated || full }
}

async function textOf(path: string): Promise<string | null> {
  try {
    const info = await lstat(path)
    if (!info.isFile() || info.size > mostFileBytes) return null
    const content = await readFile(path)
    return content.includes(0) ? null : content.toString('utf8')
  } catch {
    // Deleted and not yet committed, or not readable: there is nothing to learn from it.
    return null
  }
}
