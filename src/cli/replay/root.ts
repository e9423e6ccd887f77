import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

/**
 * The root of the project that a session was run in: the nearest folder above the session that holds the scenario's
 * file, whose recorded path is relative to the root. Null when there is none, as when the session was moved.
 */
export function rootOf(session: string, file: string): string | null {
  for (let folder = resolve(session); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, file))) return folder
  }
  return null
}
