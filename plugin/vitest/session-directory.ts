import { mkdir } from 'node:fs/promises'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { messageOf, SessionError } from '../../src/errors.js'
import { safeName, sessionDirectoryName } from '../../src/session/names.js'
import { createSession } from '../../src/session/session.js'

/** `<root>/<sessions>/<slug>`: the slug is the plan's file name, else the package's name, else the folder's. */
export function sessionsOf(
  root: string,
  options: { readonly sessions: string; readonly plan: string | null },
): string {
  return join(root, options.sessions, slugOf(root, options.plan))
}

function slugOf(root: string, plan: string | null): string {
  const name = plan === null ? (packageName(root) ?? basename(root)) : basename(plan).replace(/\.[^.]+$/, '')
  return safeName(name.replace(/^@/, '').replaceAll('/', '-'))
}

function packageName(root: string): string | null {
  const file = join(root, 'package.json')
  if (!existsSync(file)) return null
  const parsed = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }
  return typeof parsed.name === 'string' && parsed.name !== '' ? parsed.name : null
}

/**
 * Makes a session directory of its own for a run that started at `startedAt`, and returns its path. Throws SessionError when
 * none can be made.
 */
export async function makeSessionDirectory(sessions: string, startedAt: Date): Promise<string> {
  try {
    await mkdir(sessions, { recursive: true })
  } catch (error) {
    throw new SessionError('no-directory', `no session directory can be made: ${messageOf(error)}`, {
      hint: '`sessions` of nemesis() in the Vitest config names the directory, relative to the root',
      cause: error,
    })
  }
  const name = sessionDirectoryName(startedAt)
  for (let attempt = 1; ; attempt++) {
    const directory = join(sessions, attempt === 1 ? name : `${name}-${attempt}`)
    try {
      await mkdir(directory)
    } catch (error) {
      // Another run, such as a shard on the same machine, started within the same millisecond.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw error
    }
    await createSession(directory)
    return directory
  }
}
