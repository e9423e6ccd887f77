import { tmpdir } from 'node:os'
import { execa } from 'execa'
import type { Missing } from '../../system.js'

const timeoutMs = 5_000

/** What is missing to mount file systems here, tried in a mount namespace that exists only for it; null when nothing. */
export async function mountMissing(): Promise<Missing | null> {
  if (process.platform !== 'linux') {
    return { what: 'file systems that can be mounted', hint: 'run the tests as root on Linux' }
  }
  if (process.getuid?.() !== 0) return { what: 'root, to mount file systems', hint: 'run the tests as root' }
  const mount = ['mount', '-t', 'tmpfs', '-o', 'size=64k', 'nemesis-probe', tmpdir()]
  const { failed, all, shortMessage } = await execa('unshare', ['--mount', ...mount], {
    reject: false,
    all: true,
    stdin: 'ignore',
    timeout: timeoutMs,
  })
  return failed
    ? {
        what: `the right to mount file systems (${all?.trim() || shortMessage})`,
        hint: 'give this container CAP_SYS_ADMIN, or apt-get install mount util-linux',
      }
    : null
}
