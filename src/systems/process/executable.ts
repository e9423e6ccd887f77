import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, resolve } from 'node:path'

/**
 * The file that a command name stands for: a path is taken relative to `cwd`, a bare name is looked for in `path`.
 * Null when there is no such executable file.
 */
export async function findExecutable(
  name: string,
  options: { readonly cwd: string; readonly path: string },
): Promise<string | null> {
  const candidates = name.includes('/')
    ? [resolve(options.cwd, name)]
    : options.path.split(delimiter).map((directory) => resolve(options.cwd, directory, name))
  for (const candidate of candidates) {
    if (await isExecutable(candidate)) return candidate
  }
  return null
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    // Not there or not executable: the next directory may have it.
    return false
  }
}
