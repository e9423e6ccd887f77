import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesWith } from '../../test/system/leftovers/processes.mjs'
import { untilClean } from '../../test/system/leftovers/until-clean.mjs'
import { watchLeftovers } from '../../test/system/leftovers/watch.mjs'
import { nemesisHeal } from '../../test/system/support/nemesis-heal.mjs'

/** What a run that was ended may hold on to for this long while its guardian is at work. */
const guardianWithinMs = 20_000
const runWithinMs = 150_000
const lookEveryMs = 5
const lateAfterMs = 1_000

/**
 * Starts a run of the copy that exercises a row, ends it by SIGKILL at the moment that was drawn, and waits until nothing
 * is left: first for the guardian, then with `nemesis heal`. Resolves to how far the run was, what was there at that
 * moment, what cleaned it and how long that took, and what is left for good. A run that came to its end before the
 * moment has `outcome: 'over'`, and one that could not be exercised here `'not possible'` with its `reason`.
 */
export async function trial(copy, { index, row, phase, delayMs, end, withGuardian }) {
  const state = mkdtempSync(join(copy.directory, `run-${index}-`))
  const temporary = join(state, 'tmp')
  mkdirSync(temporary)
  const leftovers = watchLeftovers({ state, temporary, docker: true })
  const phases = phasesIn(join(state, 'phases'))
  const env = {
    ...process.env,
    ...{ CI: 'true', NO_COLOR: '1', NODE_OPTIONS: '', NEMESIS_TIER: '' },
    ...{ NEMESIS_STATE_DIR: state, TMPDIR: temporary },
    ...{ TORTURE_ROW: String(row.index), TORTURE_PHASES: phases.file },
  }
  const child = spawn(process.execPath, [copy.vitest, 'run'], { cwd: copy.project, env, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  let isOver = false
  const exited = once(child, 'exit').then(() => (isOver = true))
  const { fault, mechanism, family } = row
  const told = { index, fault, mechanism, family, drawn: phase, delayMs, end, withGuardian }
  try {
    const deadline = performance.now() + runWithinMs
    while (!isOver && !phases.reached(phase) && performance.now() < deadline) await sleep(lookEveryMs)
    await Promise.race([exited, sleep(delayMs, null, { ref: false })])
    const failure = phases.told('failed')
    if (isOver || failure !== null) {
      await exited
      const outcome = phases.reached('in-place') ? 'over' : 'not possible'
      const { left } = await untilClean(leftovers, performance.now() + guardianWithinMs)
      return { ...told, outcome, reason: failure ?? output.slice(-500), left, output }
    }
    const worker = Number(phases.told('worker') ?? child.pid)
    const guardian = guardianOf(worker)
    // Ended before it is looked what is there, which takes longer than many a phase.
    const victims = { worker: [worker], both: [child.pid, worker] }[end]
    // Early on there is none yet.
    told.withGuardian = withGuardian && guardian !== null
    const killed = told.withGuardian ? [guardian, worker, child.pid] : victims
    const killedIn = phases.last()
    const since = performance.now()
    for (const pid of new Set(killed)) kill(pid)
    await (killed.includes(child.pid) ? exited : Promise.race([exited, sleep(guardianWithinMs)]))
    if (!killed.includes(guardian)) {
      const { left, at } = await untilClean(leftovers, since + guardianWithinMs)
      const late = await lateFinds(leftovers)
      const cleanMs = Math.round(at - since)
      if (left.length === 0 && late.length === 0) {
        return { ...told, outcome: 'ended', killedIn, cleanedBy: 'guardian', cleanMs, left }
      }
      told.leftByGuardian = late.length > 0 ? late : left
    }
    const met = await leftovers.look()
    const healing = performance.now()
    const heal = await nemesisHeal(copy, env)
    const first = await untilClean(leftovers, performance.now() + 2_000)
    const left = first.left.length > 0 ? first.left : await lateFinds(leftovers)
    const cleanedBy = met.length === 0 ? 'nobody' : left.length === 0 ? 'heal' : null
    return {
      ...told,
      outcome: 'ended',
      killedIn,
      cleanedBy,
      cleanMs: Math.round(first.at - healing),
      met,
      heal,
      left,
    }
  } finally {
    for (const { pid, command } of await processesWith('NEMESIS_STATE_DIR', state)) {
      if (command.includes('vitest')) kill(pid)
    }
    await leftovers.remove()
    rmSync(state, { recursive: true, force: true })
  }
}

/** What was asked of the engine or the kernel before the end may only come about after the last look. */
async function lateFinds(leftovers) {
  await sleep(lateAfterMs)
  return leftovers.look()
}

/** What a run tells of its way. */
function phasesIn(file) {
  const lines = () => {
    try {
      return readFileSync(file, 'utf8').split('\n').slice(0, -1)
    } catch (error) {
      // It has told nothing yet.
      if (error.code === 'ENOENT') return []
      throw error
    }
  }
  return {
    file,
    reached: (phase) => lines().includes(phase),
    /** The last phase that it told. */
    last: () => lines().findLast((line) => /^[a-z-]+$/.test(line)) ?? 'starting',
    /** What it told under a word; null when it did not. */
    told: (word) =>
      lines()
        .find((line) => line.startsWith(`${word} `))
        ?.slice(word.length + 1) ?? null,
  }
}

/** The guardian that a process has started and that lives; null when there is none. */
function guardianOf(pid) {
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

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}
