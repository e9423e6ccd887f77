import { readFile, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { FaultError } from '../../../errors.js'
import { writeIn } from '../../../systems/storage/data-files.js'

/** A file of a data directory, and the copy of what was in it. */
export interface Kept {
  readonly dataDir: string
  readonly path: string
  readonly copy: string
}

/**
 * Writes the copy back and removes it. False when the copy or the data directory is gone already.
 * Throws FaultError for a copy that is not one of ours: a damaged journal must not be able to name anything else.
 */
export async function restoreKept({ dataDir, path, copy }: Kept): Promise<boolean> {
  const directory = dirname(copy)
  if (!(await isThere(copy))) return false
  const ours = join(await realpath(tmpdir()), basename(directory))
  if (!basename(directory).startsWith('nemesis-kept-') || (await realpath(directory)) !== ours) {
    throw new FaultError('undo', `${copy} is no copy that was kept by a run: not written back`)
  }
  const back = await isThere(dataDir)
  if (back) await writeIn(dataDir, path, await readFile(copy))
  await rm(directory, { recursive: true, force: true })
  return back
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}
