import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { processesWith } from '../leftovers/processes.mjs'
import { calmDeadline } from '../leftovers/calm-deadline.mjs'
import { untilClean } from '../leftovers/until-clean.mjs'
import { watchLeftovers } from '../leftovers/watch.mjs'
import { nemesisHeal } from '../support/nemesis-heal.mjs'

/** What a run that was killed may hold on to for this long. */
const cleanWithinMs = 5_000

/** What ends the run, by name. */
const endings = {
  main: (main) => send(main, 'SIGKILL'),
  worker: async (main, state) => {
    for (const pid of await workersOf(main, state)) send(pid, 'SIGKILL')
  },
  all: async (main, state) => {
    for (const pid of [main, ...(await workersOf(main, state))]) send(pid, 'SIGKILL')
  },
  'ctrl-c': (main) => send(-main, 'SIGINT'),
  sigterm: (main) => send(main, 'SIGTERM'),
  hangup: (main) => send(-main, 'SIGHUP'),
  // Nothing is done to it: its own time limit ends it, or it comes to its end.
  none: () => {},
}

/** A run may come to its end by itself while it is being looked at. */
function send(pid, signal) {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

/** The scenario file for each kind of system. */
const scenarios = { docker: 'docker', helper: 'docker', processes: 'processes', namespaces: 'namespaces' }

/** Endings after which the run is given time to end by itself: what is left counts from its end on. */
const polite = new Set(['ctrl-c', 'sigterm', 'worker', 'none'])

export const endingNames = Object.keys(endings)

/**
 * Runs Vitest on the project, ends it `afterMs` after it has started or (`from: 'work'`) has opened its journal, and waits
 * until nothing is left: first for the guardian, then with `nemesis heal`. Resolves to what was in place at that moment,
 * what was left when, and how long it took.
 */
export async function trial(project, { kind, pool, ending, from, afterMs, limitMs }) {
  const { state, temporary } = freshDirectories(project)
  const file = scenarios[kind]
  const leftovers = watchLeftovers({ state, temporary, docker: file === 'docker' })
  const args = [project.vitest, 'run', `--pool=${pool}`, file]
  const env = {
    ...project.env,
    NEMESIS_STATE_DIR: state,
    TMPDIR: temporary,
    ...(kind === 'helper' ? { ENTER: 'helper' } : {}),
    ...(limitMs === undefined ? {} : { LIMIT_MS: String(limitMs) }),
  }
  const startedAt = performance.now()
  const child = spawn(project.node, args, { cwd: project.directory, env, detached: true, stdio: 'pipe' })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const exited = once(child, 'exit').then(([code, signal]) => ({
    code,
    signal,
    afterMs: performance.now() - startedAt,
  }))
  let workAfterMs = null
  const atWork = leftovers.atWork.then(() => (workAfterMs = performance.now() - startedAt))
  const moment = async () => {
    if (from === 'work') await atWork
    return limit(afterMs)
  }
  try {
    const early = await Promise.race([exited, ending === 'none' ? limit(300_000) : moment()])
    const inPlace = early === null ? await leftovers.look() : []
    const endedAt = performance.now()
    const ended = calmDeadline(cleanWithinMs)
    if (early === null) await endings[ending](child.pid, state)
    const exit = await Promise.race([exited, limit(200_000)])
    if (exit === null) send(-child.pid, 'SIGKILL')
    const [since, deadline] = polite.has(ending)
      ? [performance.now(), calmDeadline(cleanWithinMs)]
      : [endedAt, ended]
    const first = await untilClean(leftovers, deadline)
    const result = {
      atMs: Math.round(endedAt - startedAt),
      workAfterMs,
      inPlace,
      exit,
      hung: exit === null,
      cleanAfterMs: first.left.length === 0 ? Math.round(first.at - since) : null,
      leftByGuardian: first.left,
      heal: null,
      leftByHeal: [],
      verdict: /^nemesis +((?:PASS|FAIL|INCONCLUSIVE|BLOCKED)\S*)/m.exec(output)?.[1] ?? null,
      output,
    }
    if (first.left.length === 0) return result
    const heal = await nemesisHeal(project, env)
    const second = await untilClean(leftovers, calmDeadline(1_000))
    return { ...result, heal, leftByHeal: second.left }
  } finally {
    await leftovers.remove()
  }
}

/** Resolves to null after so long, and keeps nothing waiting for it. */
function limit(ms) {
  return sleep(ms, null, { ref: false })
}

/** Directories of this trial's own, so that what an earlier one has left is not counted again. */
function freshDirectories({ directory }) {
  const [state, temporary] = ['state', 'tmp'].map((name) => mkdtempSync(join(directory, `${name}-`)))
  return { state, temporary }
}

/** The workers that the main process has forked; there are none with threads. */
async function workersOf(main, state) {
  const processes = await processesWith('NEMESIS_STATE_DIR', state)
  return processes
    .filter(({ pid, command }) => pid !== main && command.includes('vitest') && !command.includes('guardian'))
    .map(({ pid }) => pid)
}
