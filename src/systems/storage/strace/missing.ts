import { readFile } from 'node:fs/promises'
import { findExecutable } from '../../process/executable.js'
import type { Missing } from '../../system.js'

/** What this machine lacks to trace the processes of nodes; null when nothing. */
export async function straceMissing(): Promise<Missing | null> {
  if (process.platform !== 'linux') {
    return { what: 'strace', hint: 'run the tests on Linux: other systems have no such tracer' }
  }
  const found = await findExecutable('strace', { cwd: process.cwd(), path: process.env['PATH'] ?? '' })
  if (found === null) return { what: 'strace', hint: 'apt-get install strace' }
  // The tracer is no ancestor of the nodes, which is what the kernel asks for from scope 1 on.
  if (process.getuid?.() === 0 || (await ptraceScope()) === 0) return null
  return {
    what: 'the right to trace processes',
    hint: 'run the tests as root, or sysctl kernel.yama.ptrace_scope=0',
  }
}

/** How the kernel restricts tracing (Yama): 0 is not at all. */
async function ptraceScope(): Promise<number> {
  try {
    return Number(await readFile('/proc/sys/kernel/yama/ptrace_scope', 'utf8'))
  } catch {
    // A kernel without Yama restricts nothing.
    return 0
  }
}
