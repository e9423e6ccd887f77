import { lstat, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative, isAbsolute } from 'node:path'
import { FaultError } from '../../../errors.js'

/**
 * Removes a temporary directory. False when it is gone already.
 * Throws FaultError for a path that is not inside the directory for temporary files: a damaged journal must not be able
 * to name anything else.
 */
export async function removeDirectory(path: string): Promise<boolean> {
  const present = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (present === null) return false
  // Symbolic links on the way are followed; the last part itself is not, and `rm` removes a link, not its target.
  const real = join(await realpath(dirname(path)), basename(path))
  const inside = relative(await realpath(tmpdir()), real)
  if (!isAbsolute(path) || inside === '' || inside.startsWith('..') || isAbsolute(inside)) {
    throw new FaultError('undo', `${path} is not inside ${tmpdir()}: not removed`, {
      hint: 'remove it yourself if it is a left-over of the run',
    })
  }
  await rm(real, { recursive: true, force: true, maxRetries: 5 })
  return true
}
