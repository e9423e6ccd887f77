import { fuseMissing } from '../systems/storage/fuse/missing.js'
import { loopMissing } from '../systems/storage/loop/missing.js'
import { straceMissing } from '../systems/storage/strace/missing.js'
import { mountMissing } from '../systems/storage/tmpfs/missing.js'
import { look } from './command.js'
import type { Probe } from './probe.js'

/** Tracing other processes, tried on a command that does nothing. */
export const tracing: Probe = async () => {
  const missing = await straceMissing()
  const { ok, line } =
    missing === null
      ? await look('strace', ['-qq', '-e', 'trace=none', 'true'])
      : { ok: false, line: missing.what }
  return {
    name: 'strace',
    present: ok,
    detail: ok ? 'a process could be traced' : `${missing === null ? '' : 'missing: '}${line}`,
    blocks: 'disk-full, slow-disk and fsync-failure on data that lies on no disk of its own',
    install: missing?.hint ?? 'apt-get install strace; in a container it needs CAP_SYS_PTRACE',
  }
}

/** Mounting file systems, tried in a mount namespace of its own. */
export const mounting: Probe = async () => {
  const missing = await mountMissing()
  return {
    name: 'mount',
    present: missing === null,
    detail: missing === null ? 'a memory file system could be mounted' : `missing: ${missing.what}`,
    blocks: "disks of the nodes' own: disk: { size: '16m' }, and disk-full by a filler",
    install: missing?.hint ?? null,
  }
}

/** Disks of our own by FUSE. */
export const fuseDisk: Probe = async () => {
  const missing = await fuseMissing()
  return {
    name: 'FUSE',
    present: missing === null,
    detail: missing === null ? '/dev/fuse can be opened' : `missing: ${missing.what}`,
    blocks: "disk: 'fuse', and with it bit-flip",
    install: missing?.hint ?? null,
  }
}

/** ext4 on loop devices. */
export const loopDisk: Probe = async () => {
  const missing = await loopMissing()
  return {
    name: 'ext4 on a loop device',
    present: missing === null,
    detail: missing === null ? 'mkfs.ext4 and loop devices are there' : `missing: ${missing.what}`,
    blocks: "disk: 'loop', which is power-loss as the kernel does it",
    install: missing?.hint ?? null,
  }
}
