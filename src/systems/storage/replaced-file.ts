import { readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { FaultError } from '../../errors.js'
import { digestOf, readIn, writeIn } from './data-files.js'

/** A file of a data directory that was replaced. */
export interface Replaced {
  readonly dataDir: string
  readonly path: string
  /** Where a copy of what was in it is kept. */
  readonly copy: string
  /** SHA-256 of what it was replaced by. */
  readonly sha256: string
}

/**
 * Says, beside the copy, that the replacement is in the file as a whole. Without it a run has died while it was writing:
 * what is in the file then is a part of what it wrote, and nobody's.
 */
export async function markWritten({ copy }: Pick<Replaced, 'copy'>): Promise<void> {
  await writeFile(markOf(copy), '')
}

/**
 * Writes the copy back and removes it. False when the file holds something else than what it was replaced by, because
 * somebody has gone on with it, or when copy or data directory are gone.
 * Throws FaultError for a copy that is not one of ours: a damaged journal must not be able to name anything else.
 */
export async function restoreReplaced({ dataDir, path, copy, sha256 }: Replaced): Promise<boolean> {
  const directory = dirname(copy)
  if (!(await isThere(directory))) return false
  const ours = join(await realpath(tmpdir()), basename(directory))
  if (!basename(directory).startsWith('nemesis-kept-') || (await realpath(directory)) !== ours) {
    throw new FaultError('undo', `${copy} is no copy that was kept by a run: not written back`)
  }
  // Whoever has written it back may have died after the copy was removed, and before its directory was.
  const untouched =
    (await isThere(copy)) &&
    (await isThere(join(dataDir, path))) &&
    (!(await isThere(markOf(copy))) || digestOf(await readIn(dataDir, path)) === sha256)
  if (untouched) {
    // Whoever dies from here on leaves a part of the copy in the file, which is to be written back all the same.
    await rm(markOf(copy), { force: true })
    await writeIn(dataDir, path, await readFile(copy))
  }
  await rm(directory, { recursive: true, force: true })
  return untouched
}

function markOf(copy: string): string {
  return join(dirname(copy), 'written')
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
