import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

/** The files below the given folders of this repository, by their path with forward slashes. */
export function filesBelow(...folders: string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .filter((file) => !/(^|\/)(node_modules|dist|test-sessions)\//.test(file)),
  )
}

export function textOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}
