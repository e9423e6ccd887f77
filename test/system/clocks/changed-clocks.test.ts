import { spawn } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { readProcStat } from '../../../src/systems/process/proc-stat.js'
import { requires } from '../../support/requirements.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { startClockTeller, type ClockTeller } from '../../systems/clock/clock-teller.js'
import { calmDeadline } from '../leftovers/calm-deadline.mjs'
import { processesWithChangedClock } from '../leftovers/clocks.mjs'
import { untilClean } from '../leftovers/until-clean.mjs'

const script = fileURLToPath(new URL('./run.mjs', import.meta.url))
const healModule = new URL('../../../dist/src/cli/heal.js', import.meta.url).href
const undoneWithinMs = 5_000
const hourMs = 3_600_000
const kills = 20

interface Run {
  /** Ends it by SIGKILL and resolves when it is gone. */
  kill(): Promise<void>
  readonly guardian: number
  readonly line: () => Promise<string>
}

requires(
  'linux',
  'x64',
  'cc',
)('clocks that a killed run has changed', () => {
  let teller: ClockTeller
  let state: string
  beforeEach(async () => {
    teller = await startClockTeller()
    await teller.ask('fork')
    state = await temporaryDirectory()
  })

  let child = 0
  const changed = () => processesWithChangedClock().filter((pid) => pid === teller.pid || pid === child)
  /** How far the clock is from one that is put forward by so much. */
  const offMs = async (offsetMs: number) => {
    const told = await teller.ask()
    child = told.pid
    return told.offMs(0, offsetMs)
  }

  async function startRun(how: 'once' | 'without-end'): Promise<Run> {
    const run = spawn(process.execPath, [script, String(teller.pid), how], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, NEMESIS_STATE_DIR: state },
    })
    const exited = new Promise<void>((resolve) => run.once('exit', () => resolve()))
    const kill = async () => {
      run.kill('SIGKILL')
      await exited
    }
    onTestFinished(kill)
    const lines = createInterface({ input: run.stdout })[Symbol.asyncIterator]()
    const line = async () => String((await lines.next()).value)
    const { guardian } = JSON.parse(await line()) as { guardian: number }
    await line()
    return { kill, guardian, line }
  }

  async function nothingLeft(): Promise<void> {
    const journals = { look: () => readdir(join(state, 'undo')) }
    expect((await untilClean(journals, calmDeadline(undoneWithinMs))).left).toEqual([])
    expect(await offMs(0)).toBeLessThan(20)
    expect(changed()).toEqual([])
  }

  it('are set right by the guardian', { timeout: 120_000 }, async () => {
    await offMs(0)
    const run = await startRun('once')
    expect(await offMs(hourMs)).toBeLessThan(20)
    expect(changed()).toEqual([teller.pid, child].toSorted((a, b) => a - b))
    await run.kill()
    await nothingLeft()
  })

  it('are set right by nemesis heal when the guardian was killed as well', { timeout: 120_000 }, async () => {
    const run = await startRun('once')
    process.kill(run.guardian, 'SIGKILL')
    await expect.poll(async () => (await readProcStat(run.guardian))?.state ?? 'Z').toBe('Z')
    await run.kill()
    expect(await offMs(hourMs)).toBeLessThan(20)
    const source = `const { healCommand } = await import(${JSON.stringify(healModule)}); await healCommand().parseAsync([], { from: 'user' })`
    const { stdout } = await execa(process.execPath, ['--input-type=module', '-e', source], {
      env: { NEMESIS_STATE_DIR: state },
    })
    expect(stdout).toMatch(/2 processes had a changed clock, set right/)
    await nothingLeft()
  })

  it(
    `are set right after a kill at any of ${kills} moments of changing and undoing`,
    { timeout: 600_000 },
    async (context) => {
      let met = 0
      for (let round = 0; round < kills; round++) {
        const run = await startRun('without-end')
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 120))
        await run.kill()
        if (changed().length > 0 || (await readProcStat(teller.pid))?.state === 'T') met += 1
        await nothingLeft()
      }
      await context.annotate(
        `${met} of ${kills} runs were ended while a clock was changed or a process stopped`,
      )
    },
  )
})
