import { rm, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { FaultError } from '../../../errors.js'
import { fillerName } from '../../../systems/storage/filler/name.js'

/** Removes a filler. False when it is gone already. Throws FaultError for a file of another name. */
export async function removeFiller(path: string): Promise<boolean> {
  if (basename(path) !== fillerName) {
    throw new FaultError('undo', `${path} is no filler of a run: not removed`)
  }
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
