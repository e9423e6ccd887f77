import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type { Missing } from '../../system.js'
import { mountMissing } from '../tmpfs/missing.js'

/** What this machine lacks to mount a FUSE file system; null when nothing. */
export async function fuseMissing(): Promise<Missing | null> {
  const mount = await mountMissing()
  if (mount !== null) return mount
  try {
    await access('/dev/fuse', constants.R_OK | constants.W_OK)
    return null
  } catch {
    return {
      what: '/dev/fuse',
      hint: 'modprobe fuse; in a container: --device /dev/fuse --cap-add SYS_ADMIN',
    }
  }
}
