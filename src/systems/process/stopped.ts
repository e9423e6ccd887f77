import { readFile } from 'node:fs/promises'

/**
 * True when a process or thread (its directory in /proc, and the state that its `stat` tells) is stopped by a signal.
 *
 * One that is traced, as under strace, shows `t` for that, and for each moment at which it waits for its tracer: where in
 * the kernel it waits tells the two apart. That takes root; for others a traced process never counts as stopped.
 */
export async function isStopped(directory: string, state: string): Promise<boolean> {
  if (state !== 't') return state === 'T'
  try {
    return /\bget_signal\b/.test(await readFile(`${directory}/stack`, 'latin1'))
  } catch {
    // Gone by now, or not ours to look into.
    return false
  }
}
