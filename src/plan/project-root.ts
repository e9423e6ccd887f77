import { existsSync } from 'node:fs'
import path from 'node:path'

/** What stands in the root of a project. */
const marks = [
  'package.json',
  'go.mod',
  'Cargo.toml',
  'pyproject.toml',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'mix.exs',
  'Gemfile',
]
const plans = path.join('docs', 'testing-plans')

/**
 * The root of the project that a file belongs to: the nearest repository above it, or else the nearest project; where there is
 * neither, the folder that has its plans in `docs/testing-plans/`, or its folder.
 */
export function projectRoot(file: string): string {
  const folder = path.dirname(path.resolve(file))
  const above = foldersAbove(path.resolve(file))
  const has = (names: readonly string[]) =>
    above.find((one) => names.some((name) => existsSync(path.join(one, name))))
  return has(['.git']) ?? has(marks) ?? above.find((one) => path.join(one, plans) === folder) ?? folder
}

function foldersAbove(file: string): string[] {
  const folder = path.dirname(file)
  return folder === file ? [] : [folder, ...foldersAbove(folder)]
}

/** True for a relative path that stays below the root. */
export function isWithin(root: string, target: string): boolean {
  if (path.isAbsolute(target) || /^[A-Za-z]:|\\/.test(target)) return false
  const relative = path.relative(root, path.resolve(root, target))
  return relative !== '' && !/^\.\.(?:$|[\\/])/.test(relative)
}
