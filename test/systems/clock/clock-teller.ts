import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createInterface } from 'node:readline'
import { execa } from 'execa'
import { onTestFinished } from 'vitest'
import { signalGroup } from '../../../src/systems/process/process-group.js'
import { temporaryDirectory } from '../../support/temporary.js'

const source = fileURLToPath(new URL('../../fixtures/systems/clock-teller.c', import.meta.url))

/** What a process says of its clocks: by number and by name of the function, in milliseconds; null for those it has not. */
export interface Told {
  readonly pid: number
  /** The machine's wall clock when it was asked, and when the answer was there: on a busy machine much later. */
  readonly askedMs: number
  readonly answeredMs: number
  ms(clock: number | 'gettimeofday' | 'time'): number | null
  /** How far a wall clock is from the machine's, put off by so much, at any moment between question and answer. */
  offMs(clock: number | 'gettimeofday' | 'time', offsetMs: number): number
  /** `time` stored what it returned, and did not go back when it was called again. */
  readonly same: boolean
  readonly zone: number
}

/** A C program that tells all its clocks. */
export interface ClockTeller {
  readonly pid: number
  /**
   * `fork` lets a forked child answer from then on, `exec` the same program executed anew. From `busy` on three threads
   * and a signal handler read clocks without pause.
   */
  ask(how?: 'fork' | 'exec' | 'busy'): Promise<Told>
}

/** Builds and starts it; ended when the test is over. */
export async function startClockTeller(): Promise<ClockTeller> {
  const program = join(await temporaryDirectory(), 'clock-teller')
  await execa('cc', ['-O1', '-pthread', '-o', program, source])
  const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  const pid = child.pid as number
  onTestFinished(() => void signalGroup(pid, 'SIGKILL'))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    pid,
    async ask(how) {
      const askedMs = Date.now()
      child.stdin.write(`${how ?? ''}\n`)
      const told = JSON.parse((await lines.next()).value as string) as Record<string, string | null>
      const answeredMs = Date.now()
      const ms: Told['ms'] = (clock) => {
        const ns = told[clock]
        return ns === null || ns === undefined ? null : Number(BigInt(ns)) / 1e6
      }
      return {
        pid: Number(told['pid']),
        askedMs,
        answeredMs,
        ms,
        offMs(clock, offsetMs) {
          const machineMs = (ms(clock) ?? Number.NaN) - offsetMs
          return Math.max(0, askedMs - machineMs, machineMs - answeredMs)
        },
        same: Boolean(told['same']),
        zone: Number(told['zone']),
      }
    },
  }
}
