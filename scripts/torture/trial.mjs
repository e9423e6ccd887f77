import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesWith } from '../../test/system/leftovers/processes.mjs'
import { calmDeadline } from '../../test/system/leftovers/calm-deadline.mjs'
import { untilClean } from '../../test/system/leftovers/until-clean.mjs'
import { watchLeftovers } from '../../test/system/leftovers/watch.mjs'
import { nemesisHeal } from '../../test/system/support/nemesis-heal.mjs'
import { endProcess, guardianOf, startRun } from './run.mjs'

/** What a run that was ended may hold on to for this long while its guardian is at work. */
const guardianWithinMs = 20_000
const healedWithinMs = 2_000
const runWithinMs = 150_000
const lateAfterMs = 1_000

/**
 * Starts a run of the copy that exercises a row, ends it by SIGKILL at the moment that was drawn, and waits until nothing
 * is left: first for the guardian, then with `nemesis heal`. Resolves to how far the run was, what cleaned up after it and
 * how long that took, and what is left for good. A run that came to its end before the moment has `outcome: 'over'`, and
 * one that could not be exercised here `'not possible'` with its `reason`.
 */
export async function trial(copy, { row, phase, engine, ...drawn }) {
  const state = mkdtempSync(join(copy.directory, `run-${drawn.index}-`))
  const temporary = join(state, 'tmp')
  mkdirSync(temporary)
  const leftovers = watchLeftovers({ state, temporary, docker: true })
  const env = {
    ...process.env,
    ...{ CI: 'true', NO_COLOR: '1', NODE_OPTIONS: '', NEMESIS_TIER: '' },
    ...{ NEMESIS_STATE_DIR: state, TMPDIR: temporary, FAULTS_ENGINE: engine },
  }
  const { fault, mechanism, family } = row
  const told = { ...drawn, fault, mechanism, family, drawn: phase }
  const run = startRun(copy, { row, phasesFile: join(state, 'phases'), env })
  try {
    await run.until(phase, { delayMs: drawn.delayMs, withinMs: runWithinMs })
    if (run.isOver()) {
      await run.exited
      const outcome = run.reached('in-place') ? 'over' : 'not possible'
      const { left } = await untilClean(leftovers, calmDeadline(guardianWithinMs))
      return { ...told, outcome, reason: run.failure(), left }
    }
    const { since, deadline, ...ended } = await endRun(run, drawn)
    const byGuardian = ended.withGuardian ? null : await awaitGuardian(leftovers, since, deadline)
    if (byGuardian?.left.length === 0) {
      return { ...told, ...ended, outcome: 'ended', cleanedBy: 'guardian', ...byGuardian }
    }
    const byHeal = await heal(leftovers, () => nemesisHeal(copy, env))
    const leftByGuardian = byGuardian === null ? {} : { leftByGuardian: byGuardian.left }
    return { ...told, ...ended, outcome: 'ended', ...leftByGuardian, ...byHeal }
  } finally {
    for (const { pid, command } of await processesWith('NEMESIS_STATE_DIR', state)) {
      if (command.includes('vitest')) endProcess(pid)
    }
    await leftovers.remove()
    rmSync(state, { recursive: true, force: true })
  }
}

/** Ends what was drawn of a run at once: to look first what is there takes longer than many a phase. */
async function endRun(run, { end, withGuardian }) {
  const worker = run.worker()
  const guardian = guardianOf(worker)
  // Early on there is no guardian yet.
  const withoutGuardian = !withGuardian || guardian === null
  const killed = [
    ...(withoutGuardian ? [] : [guardian]),
    worker,
    ...(withoutGuardian && end === 'worker' ? [] : [run.main]),
  ]
  const killedIn = run.phase()
  const since = performance.now()
  const deadline = calmDeadline(guardianWithinMs)
  for (const pid of killed) endProcess(pid)
  await Promise.race([run.exited, sleep(guardianWithinMs, null, { ref: false })])
  return { killedIn, withGuardian: !withoutGuardian, since, deadline }
}

async function awaitGuardian(leftovers, since, deadline) {
  const { left, at } = await untilClean(leftovers, deadline)
  return { left: left.length > 0 ? left : await lateFinds(leftovers), cleanMs: Math.round(at - since) }
}

async function heal(leftovers, run) {
  const met = await leftovers.look()
  const since = performance.now()
  const said = await run()
  const { left: early, at } = await untilClean(leftovers, calmDeadline(healedWithinMs))
  const left = early.length > 0 ? early : await lateFinds(leftovers)
  const cleanedBy = met.length === 0 ? 'nobody' : left.length === 0 ? 'heal' : null
  return { cleanedBy, cleanMs: Math.round(at - since), met, heal: said, left }
}

/** What was asked of the engine or the kernel before the end may only come about after the last look. */
async function lateFinds(leftovers) {
  await sleep(lateAfterMs)
  return leftovers.look()
}
