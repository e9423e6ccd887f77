import { readFile, rmdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { FaultError } from '../../errors.js'
import { becomes } from '../../time/wait.js'

const emptyWithinMs = 10_000

/**
 * Moves what is in a control group of ours back to where it came from, and removes the group. False when it was gone.
 *
 * Throws FaultError when it stays, and for one that is not ours: a damaged journal must not be able to name another.
 */
export async function dissolveGroup({
  directory,
  home,
}: {
  readonly directory: string
  readonly home: string
}): Promise<boolean> {
  if (!/^nemesis-cpu-[0-9a-f]{10}$/.test(basename(directory))) {
    throw new FaultError('undo', `${directory} is no control group of a run`)
  }
  let there = true
  const gone = await becomes(
    async () => {
      const members = await readFile(join(directory, 'cgroup.procs'), 'utf8').catch(() => '')
      for (const pid of members.split('\n').filter(Boolean)) {
        // One that has ended in the meantime needs no move; whether all went is seen by the removal.
        await writeFile(join(home, 'cgroup.procs'), pid).catch(() => undefined)
      }
      try {
        await rmdir(directory)
        return true
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException
        if (code === 'ENOENT') there = false
        return code === 'ENOENT'
      }
    },
    { withinMs: emptyWithinMs },
  )
  if (!gone) {
    throw new FaultError('undo', `the control group ${directory} stays: there are still processes in it`, {
      hint: `move them by hand: write each of its cgroup.procs to ${home}/cgroup.procs, then rmdir ${directory}`,
    })
  }
  return there
}
