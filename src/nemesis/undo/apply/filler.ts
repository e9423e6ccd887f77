import { rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FaultError } from '../../../errors.js'
import { fillerName, probeName } from '../../../systems/storage/filler/name.js'

/** Removes a filler, and what tried out beside it whether there is space. False when it is gone already. Throws FaultError for a file of another name. */
export async function removeFiller(path: string): Promise<boolean> {
  if (basename(path) !== fillerName) {
    throw new FaultError('undo', `${path} is no filler of a run: not removed`)
  }
  await rm(join(dirname(path), probeName), { force: true })
  const there = await stat(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false
      throw error
    },
  )
  if (there) await rm(path, { force: true })
  return there
}
