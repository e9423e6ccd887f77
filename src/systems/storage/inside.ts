import { lstat, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path'
import { FaultError } from '../../errors.js'

/**
 * The real path of a file below a data directory. Symbolic links on the way are followed as long as they stay inside;
 * the file itself need not exist, its directory must.
 *
 * Throws FaultError for everything that is, or leads, outside: what a fault or a journal names can never be a file of
 * the machine.
 */
export async function inside(dataDir: string, path: string): Promise<string> {
  if (isAbsolute(path) || path === '') throw outside(dataDir, path)
  const root = await realpath(dataDir)
  const wanted = join(root, path)
  if (!isBelow(root, wanted)) throw outside(dataDir, path)
  const real = (await exists(wanted))
    ? await target(wanted)
    : join(await realpath(dirname(wanted)), basename(wanted))
  if (real === null || !isBelow(root, real)) throw outside(dataDir, path)
  return real
}

function isBelow(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

/** Null for a link that leads nowhere. */
async function target(path: string): Promise<string | null> {
  try {
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

function outside(dataDir: string, path: string): FaultError {
  return new FaultError(
    'outside',
    `${JSON.stringify(path)} is not a file below the data directory ${dataDir}`,
    {
      hint: "name files relative to the data directory, such as 'appendonlydir/appendonly.aof.1.incr.aof'",
    },
  )
}
