import { execa } from 'execa'
import { readProcStat } from './proc-stat.js'

/**
 * When a process was started, as an opaque text that differs for another process with the same pid.
 *
 * Linux: clock ticks since boot, from `/proc/<pid>/stat`. Elsewhere: what `ps -o lstart=` prints.
 * Null when there is no such process.
 */
export async function processStartTime(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    const stat = await readProcStat(pid)
    // A zombie has ended already; there is nothing left in it to signal.
    return stat === null || stat.state === 'Z' ? null : stat.startTime
  }
  const { stdout } = await execa('ps', ['-o', 'lstart=', '-p', String(pid)], {
    reject: false,
    env: { LC_ALL: 'C' },
    timeout: 5_000,
  })
  const text = stdout.trim()
  return text === '' ? null : text
}
