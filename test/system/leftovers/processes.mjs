import { readdir, readFile } from 'node:fs/promises'

/**
 * Every living process that has `NAME=value` in its environment, this one left out: all that a run has started inherits
 * what the run was started with.
 */
export async function processesWith(name, value) {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)
  const found = await Promise.all(pids.map((pid) => look(pid, `${name}=${value}`)))
  return found.filter((one) => one !== null && one.pid !== process.pid)
}

/** In words: what it is, whether it is stopped by a signal, its pid. */
export function describeProcess({ pid, state, command, run }) {
  const kind = [
    ['guardian.js', 'guardian'],
    ['nfq-delay', 'delayer'],
    ['storage/fuse/server', 'file system'],
    ['strace -f', 'tracer'],
    ['vitest', 'vitest'],
  ].find(([part]) => command.includes(part))?.[1]
  const what = kind ?? (run === null ? 'process' : 'node')
  return `${state === 'T' ? 'stopped ' : ''}${what} ${pid} (${command.slice(0, 80)})`
}

async function look(pid, mark) {
  try {
    const [environment, stat, command] = await Promise.all([
      readFile(`/proc/${pid}/environ`, 'latin1'),
      readFile(`/proc/${pid}/stat`, 'latin1'),
      readFile(`/proc/${pid}/cmdline`, 'latin1'),
    ])
    const variables = environment.split('\0')
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
    // One that has ended and waits to be reaped holds nothing.
    if (!variables.includes(mark) || state === 'Z' || state === 'X') return null
    const run = variables.find((variable) => variable.startsWith('NEMESIS_RUN=')) ?? null
    return { pid, state, run, command: command.replaceAll('\0', ' ').trim() }
  } catch {
    // Gone by now.
    return null
  }
}
