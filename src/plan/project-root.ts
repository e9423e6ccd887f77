import { existsSync } from 'node:fs'
import path from 'node:path'

/** What stands in the root of a project. */
const marks = ['.git', 'package.json', 'go.mod', 'Cargo.toml']

/** The root of the project that a file belongs to: the nearest repository above it, or else the nearest project, or its folder. */
export function projectRoot(file: string): string {
  const above = foldersAbove(path.resolve(file))
  for (const mark of marks) {
    const root = above.find((folder) => existsSync(path.join(folder, mark)))
    if (root !== undefined) return root
  }
  return path.dirname(path.resolve(file))
}

function foldersAbove(file: string): string[] {
  const folder = path.dirname(file)
  return folder === file ? [] : [folder, ...foldersAbove(folder)]
}

/** True for a relative path that stays below the root. */
export function isWithin(root: string, target: string): boolean {
  if (path.isAbsolute(target) || /^[A-Za-z]:|\\/.test(target)) return false
  const relative = path.relative(root, path.resolve(root, target))
  return relative !== '' && !relative.startsWith('..')
}
