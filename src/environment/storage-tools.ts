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
