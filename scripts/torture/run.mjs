import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const lookEveryMs = 5

/** Starts a Vitest of the copy that exercises a row. What it tells of its way is in the file of phases: see row.test.mjs. */
export function startRun(copy, { row, phasesFile, env }) {
  const child = spawn(process.execPath, [copy.vitest, 'run'], {
    cwd: copy.project,
    env: { ...env, TORTURE_ROW: String(row.index), TORTURE_PHASES: phasesFile },
    stdio: 'pipe',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  let isOver = false
  const exited = once(child, 'exit').then(() => (isOver = true))

  /** What it told under a word; null when it did not. */
  const told = (word) =>
    linesOf(phasesFile)
      .find((line) => line.startsWith(`${word} `))
      ?.slice(word.length + 1) ?? null

  return {
    main: child.pid,
    exited,
    /** True when it came to its end, or is about to because it failed. */
    isOver: () => isOver || told('failed') !== null,
    reached: (phase) => linesOf(phasesFile).includes(phase),
    /** The phase that it is in. */
    phase: () => linesOf(phasesFile).findLast((line) => /^[a-z-]+$/.test(line)) ?? 'starting',
    /** Why it failed, in words. */
    failure: () => told('failed') ?? output.slice(-500),
    /** The process that holds the fault. */
    worker: () => Number(told('worker') ?? child.pid),
    /** Resolves so long after it has reached the phase, or when it is over. */
    async until(phase, { delayMs, withinMs }) {
      const deadline = performance.now() + withinMs
      while (!isOver && !this.reached(phase) && performance.now() < deadline) await sleep(lookEveryMs)
      await Promise.race([exited, sleep(delayMs, null, { ref: false })])
    },
  }
}

/** The guardian that a process has started and that lives; null when there is none. */
export function guardianOf(pid) {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ')
    const isGuardian = (child) =>
      readFileSync(`/proc/${child}/cmdline`, 'latin1').includes('undo/guardian.js')
    return Number(children.filter((child) => child !== '').find(isGuardian) ?? 0) || null
  } catch {
    // The process has ended meanwhile, or one of its children has.
    return null
  }
}

/** Ends a process that may have ended. */
export function endProcess(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

function linesOf(file) {
  try {
    return readFileSync(file, 'utf8').split('\n').slice(0, -1)
  } catch (error) {
    // It has told nothing yet.
    if (error.code === 'ENOENT') return []
    throw error
  }
}
