import { readdir, readFile, readlink } from 'node:fs/promises'

/**
 * Every living process that has `NAME=value` in its environment, this one left out: all that a run has started inherits
 * what the run was started with.
 */
export function processesWith(name, value) {
  return livingProcesses(async (pid) => (await variablesOf(pid)).includes(`${name}=${value}`))
}

/** Every living process that works in a directory or writes its output there, whatever it has done to its environment. */
export function processesIn(directory) {
  return livingProcesses(async (pid) => {
    const paths = await Promise.all(['cwd', 'fd/1', 'fd/2'].map((place) => linkOf(pid, place)))
    return paths.some((path) => path.startsWith(`${directory}/`))
  })
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

async function livingProcesses(isWanted) {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => (pid !== process.pid && (await isWanted(pid)) ? look(pid) : null)),
  )
  return found.filter((one) => one !== null)
}

async function look(pid) {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'latin1')
    const command = await readFile(`/proc/${pid}/cmdline`, 'latin1')
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3)
    // One that has ended and waits to be reaped holds nothing.
    if (state === 'Z' || state === 'X') return null
    const run = (await variablesOf(pid)).find((variable) => variable.startsWith('NEMESIS_RUN=')) ?? null
    return { pid, state, run, command: command.replaceAll('\0', ' ').trim() }
  } catch {
    // Gone by now.
    return null
  }
}

async function variablesOf(pid) {
  try {
    return (await readFile(`/proc/${pid}/environ`, 'latin1')).split('\0')
  } catch {
    // Gone by now, or not ours to look at.
    return []
  }
}

async function linkOf(pid, place) {
  try {
    return await readlink(`/proc/${pid}/${place}`)
  } catch {
    // Gone by now, closed, or not ours to look at.
    return ''
  }
}
