import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { findExecutable } from '../../process/executable.js'
import type { Missing } from '../../system.js'
import { mountMissing } from '../tmpfs/missing.js'

/** What this machine lacks for ext4 on loop devices that can lose their power; null when nothing. */
export async function loopMissing(): Promise<Missing | null> {
  const mount = await mountMissing()
  if (mount !== null) return mount
  if ((await findInPath('mkfs.ext4')) === null) {
    return { what: 'mkfs.ext4', hint: 'apt-get install e2fsprogs' }
  }
  if ((await findInPath('perl')) === null && (await findInPath('xfs_io')) === null) {
    return { what: 'a program that can shut ext4 down', hint: 'apt-get install perl-base, or xfsprogs' }
  }
  try {
    await access('/dev/loop-control', constants.R_OK | constants.W_OK)
    return null
  } catch {
    return {
      what: '/dev/loop-control',
      hint: 'modprobe loop; in a container: the loop devices and --cap-add SYS_ADMIN',
    }
  }
}

/** The file of a program; also where only root has it in its path. Null when there is none. */
export function findInPath(program: string): Promise<string | null> {
  return findExecutable(program, {
    cwd: process.cwd(),
    path: `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`,
  })
}
