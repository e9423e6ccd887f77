import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { requires } from '../support/requirements.js'
import { readProcStat } from '../../src/systems/process/proc-stat.js'
import { calmDeadline } from './leftovers/calm-deadline.mjs'
import { untilClean } from './leftovers/until-clean.mjs'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const script = here('./guardian-run.mjs')
const healModule = here('../../dist/src/cli/heal.js')

/** What a run that was killed may still hold on to after this long, on a machine that has time, is left behind. */
const undoneWithinMs = 5_000

interface Run {
  readonly process: ChildProcess & { pid: number }
  readonly lines: AsyncIterator<string>
  readonly children: readonly number[]
  readonly stranger: number
  readonly guardian: number
  readonly directory: string
  readonly journal: string
}

let state: string
let runs: Run[]
beforeEach(async () => {
  state = await mkdtemp(join(tmpdir(), 'nemesis-guardian-'))
  runs = []
})
afterEach(async () => {
  for (const run of runs) {
    for (const pid of [run.process.pid, ...run.children, run.stranger, run.guardian]) {
      if (await lives(pid)) process.kill(pid, 'SIGKILL')
    }
    await rm(run.directory, { recursive: true, force: true })
  }
  await rm(state, { recursive: true, force: true })
})

async function startRun(ending: string): Promise<Run> {
  const child = spawn(process.execPath, [script, ending], {
    stdio: ['pipe', 'pipe', 'inherit'],
    // In a group of its own, so that a signal to the group reaches what a terminal's Ctrl-C would reach.
    detached: true,
    env: { ...process.env, NEMESIS_STATE_DIR: state },
  })
  const reader: Interface = createInterface({ input: child.stdout })
  const lines = reader[Symbol.asyncIterator]()
  const told = JSON.parse((await lines.next()).value as string) as Omit<Run, 'process' | 'lines'>
  const run = { process: child as Run['process'], lines, ...told }
  runs.push(run)
  return run
}

async function lives(pid: number): Promise<boolean> {
  const stat = await readProcStat(pid)
  return stat !== null && stat.state !== 'Z'
}

/** Whether the process has a handler for a signal (Node has its own for SIGINT and SIGTERM from the start), by the mask in /proc/<pid>/status. */
async function catches(pid: number, signal: number): Promise<boolean> {
  const mask = /^SigCgt:\s*([0-9a-f]+)$/m.exec(await readFile(`/proc/${pid}/status`, 'latin1'))?.[1] ?? '0'
  return ((BigInt(`0x${mask}`) >> BigInt(signal - 1)) & 1n) === 1n
}

/** Everything of the run that is still there, in words. */
async function left(run: Run): Promise<readonly string[]> {
  const found: string[] = []
  for (const pid of run.children) if (await lives(pid)) found.push(`child ${pid}`)
  if (await lives(run.guardian)) found.push('guardian')
  if ((await readProcStat(run.stranger))?.state === 'T') found.push('stopped process')
  if (existsSync(run.directory)) found.push('directory')
  for (const name of await readdir(join(state, 'undo'))) found.push(name)
  return found
}

/** Waits from now on, which is when the run was ended. */
async function nothingLeft(run: Run): Promise<void> {
  const leftovers = { look: () => left(run) }
  expect((await untilClean(leftovers, calmDeadline(undoneWithinMs))).left).toEqual([])
}

function nemesisHeal(args: readonly string[]): Promise<{ code: number | null; output: string }> {
  const source = `const { healCommand } = await import(${JSON.stringify(pathToFileURL(healModule).href)}); await healCommand().parseAsync(${JSON.stringify(args)}, { from: 'user' })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    env: { ...process.env, NEMESIS_STATE_DIR: state },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })))
}

requires('linux')('guardian', () => {
  it('undoes everything within five seconds of kill -9 of the run, and is gone itself', async () => {
    const run = await startRun('wait')
    await expect.poll(() => left(run)).toHaveLength(6)
    process.kill(run.process.pid, 'SIGKILL')
    await nothingLeft(run)
    await expect.poll(async () => (await readProcStat(run.stranger))?.state).toBe('S')
  })

  it('undoes everything when the journal was being written at that moment', async () => {
    const run = await startRun('busy')
    process.kill(run.process.pid, 'SIGKILL')
    await nothingLeft(run)
  })

  it('goes when the run dies before it has opened its journal', async () => {
    const run = await startRun('early')
    process.kill(run.process.pid, 'SIGKILL')
    await expect.poll(() => lives(run.guardian)).toBe(false)
    expect(existsSync(run.journal)).toBe(false)
  })

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'undoes everything after %s to the whole group',
    async (signal) => {
      const run = await startRun('wait')
      process.kill(-run.process.pid, signal)
      await nothingLeft(run)
    },
  )

  it('undoes everything after process.exit()', async () => {
    await nothingLeft(await startRun('exit'))
  })

  it('undoes everything when the worker thread that held it is terminated', async () => {
    const run = await startRun('thread')
    run.process.stdin?.write('terminate\n')
    await nothingLeft(run)
  })

  it('ignores signals that end a run while the run lives', async () => {
    const run = await startRun('wait')
    await expect.poll(() => catches(run.guardian, 1)).toBe(true)
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(run.guardian, signal)
    expect(await lives(run.children[0] as number)).toBe(true)
    process.kill(run.process.pid, 'SIGKILL')
    await nothingLeft(run)
  })

  it('exits with a clean end of the run and touches nothing', async () => {
    const run = await startRun('clean')
    expect((await run.lines.next()).value).toBe('released')
    expect(await lives(run.guardian)).toBe(false)
    expect(await lives(run.children[0] as number)).toBe(true)
    expect(await readdir(join(state, 'undo'))).toEqual([])
  })

  it('leaves the work to nemesis heal when it is killed as well', async () => {
    const run = await startRun('wait')
    const live = await nemesisHeal([])
    expect(live).toEqual({
      code: 0,
      output: expect.stringContaining(`is still alive (pid ${run.process.pid}): left alone`),
    })
    process.kill(run.guardian, 'SIGKILL')
    await expect.poll(() => lives(run.guardian)).toBe(false)
    process.kill(run.process.pid, 'SIGKILL')
    await expect.poll(() => lives(run.process.pid)).toBe(false)
    await expect.poll(() => left(run)).toHaveLength(5)
    const { code, output } = await nemesisHeal([])
    expect(output).toMatch(/ended 2 processes/)
    expect(code).toBe(0)
    await nothingLeft(run)
    expect(await nemesisHeal([])).toEqual({ code: 0, output: 'nothing was left behind\n' })
    expect(JSON.parse((await nemesisHeal(['--json'])).output)).toEqual({ entries: [], live: [] })
  })
})
