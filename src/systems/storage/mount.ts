import { readFile, realpath, rmdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { execa } from 'execa'
import { FaultError } from '../../errors.js'
import { becomes } from '../../time/wait.js'

const unmountWithinMs = 5_000
const commandTimeoutMs = 10_000

/**
 * Unmounts what is mounted at a temporary directory and removes the directory. False when nothing was mounted there.
 *
 * While somebody holds files in it, it is tried again for five seconds and then detached: it vanishes from the tree at
 * once, and with its last user for good. Throws FaultError when it cannot be unmounted, and for a path that is not
 * inside the directory for temporary files.
 */
export async function unmount(path: string): Promise<boolean> {
  const real = await ours(path)
  const was = real !== null && (await isMounted(real))
  if (was) {
    const gone = await becomes(
      async () => {
        await umount([], real)
        return !(await isMounted(real))
      },
      { withinMs: unmountWithinMs, everyMs: 100 },
    )
    if (!gone) {
      const said = await umount(['-l'], real)
      if (await isMounted(real)) throw new FaultError('undo', `${path} cannot be unmounted: ${said}`)
    }
  }
  if (real !== null) await removeEmpty(real)
  return was
}

/** True when something is mounted exactly there. */
export async function isMounted(path: string): Promise<boolean> {
  const table = await readFile('/proc/self/mountinfo', 'utf8')
  return table.split('\n').some((line) => decoded(line.split(' ')[4] ?? '') === path)
}

async function umount(flags: readonly string[], path: string): Promise<string> {
  const { all } = await execa('umount', [...flags, path], {
    reject: false,
    all: true,
    stdin: 'ignore',
    timeout: commandTimeoutMs,
  })
  return all?.trim() ?? ''
}

/** The path with the links on its way resolved; null when there is no such directory any more. */
async function ours(path: string): Promise<string | null> {
  const parent = await realpath(dirname(path)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (parent === null) return null
  const real = join(parent, basename(path))
  const way = relative(await realpath(tmpdir()), real)
  if (!isAbsolute(path) || way === '' || way.startsWith('..') || isAbsolute(way)) {
    throw new FaultError('undo', `${path} is not inside ${tmpdir()}: not unmounted`, {
      hint: 'unmount it yourself if it is a left-over of the run',
    })
  }
  return real
}

/** proc(5): blanks and the like are written as octal numbers. */
function decoded(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}

async function removeEmpty(path: string): Promise<void> {
  try {
    await rmdir(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // What is in it was there before the mount, and belongs to whoever removes the directory around it.
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY') throw error
  }
}
