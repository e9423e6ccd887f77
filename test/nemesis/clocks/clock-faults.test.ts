import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../src/nemesis/evidence.js'
import { inject } from '../../../src/nemesis/inject.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { requires } from '../../support/requirements.js'
import { startTimed, type TimedRun } from './start.js'
import {
  etcdContainer,
  nodeProcess,
  redisContainer,
  redisProcess,
  supervisedNode,
  type TimedSystem,
} from './systems.js'

const hourMs = 3_600_000
/** An HTTP date tells whole seconds. */
const toleranceMs = 1_020
/** A reading of the fault is taken for the middle of the time that it took, which is 1.5 s at most. */
const readingMs = toleranceMs + 750
const timeoutMs = 120_000

const valueOf = (evidence: readonly Evidence[], side: Evidence['side']) =>
  evidence.find((item) => item.side === side)?.after as number

function landsAndHeals(timed: TimedSystem): void {
  it('is put forward and back, and right again', { timeout: timeoutMs }, async () => {
    const run = await startTimed(timed)
    const open = run.journal.entries.size
    for (const [offset, ms] of [
      ['90s', 90_000],
      ['-1h', -hourMs],
    ] as const) {
      const fault = await inject(nemesis('clock-skew', { node: 'n1', offset }), run.context, { id: 'F1' })
      expect(fault.window).toMatchObject({ landed: true, cause: null, target: `n1 by ${offset}` })
      expect(valueOf(fault.window.evidence, 'injector')).toBeGreaterThanOrEqual(1)
      expect(Math.abs(valueOf(fault.window.evidence, 'victim') - ms)).toBeLessThan(readingMs)
      expect(await run.offMs(ms)).toBeLessThan(toleranceMs)
      const { healed, landed } = await fault.heal()
      expect(landed).toBe(true)
      expect(valueOf(healed, 'injector')).toBe(0)
      expect(Math.abs(valueOf(healed, 'victim'))).toBeLessThan(2 * readingMs)
      expect(await run.offMs(0)).toBeLessThan(toleranceMs)
      expect(run.journal.entries.size).toBe(open)
    }
  })

  it.each([0.25, 4])('runs %d times as fast, and right again', { timeout: timeoutMs }, async (factor) => {
    const run = await startTimed(timed)
    const slow = nemesis('clock-rate', { node: 'n1', factor, landWithin: '20s' })
    const fault = await inject(slow, run.context, { id: 'F1' })
    expect(fault.window).toMatchObject({ landed: true, cause: null })
    const driftMs = valueOf(fault.window.evidence, 'victim')
    expect(Math.sign(driftMs)).toBe(factor < 1 ? -1 : 1)
    expect(Math.abs(driftMs)).toBeGreaterThan(100)
    const { landed } = await fault.heal()
    expect(landed).toBe(true)
    expect(await run.offMs(0)).toBeLessThan(toleranceMs)
  })
}

requires('linux', 'x64', 'redis')('the clock of redis-server as a process', () => landsAndHeals(redisProcess))
requires('linux', 'x64')('the clock of Node.js as a process', () => landsAndHeals(nodeProcess))
requires(
  'linux',
  'x64',
  'docker',
  'busybox',
  'root',
  'redis',
  'etcd',
)('the clock of a container', () => {
  describe('with redis-server', () => landsAndHeals(redisContainer))
  describe('with etcd', () => landsAndHeals(etcdContainer))
})

requires('linux', 'x64')('a fault of time', () => {
  const skew = nemesis('clock-skew', { node: 'n1', offset: '1h', landWithin: '30s' })
  const once = async (run: TimedRun) => inject(skew, run.context, { id: 'F1' })
  const vain = { ...skew, landWithinMs: 1_000 }

  it(
    'has not landed when the node was started anew while it was in place',
    { timeout: timeoutMs },
    async () => {
      const run = await startTimed(nodeProcess)
      const fault = await once(run)
      expect(fault.landed).toBe(true)
      await run.context.lifecycle.kill('n1')
      await run.context.lifecycle.start('n1')
      expect(await fault.heal()).toMatchObject({
        landed: false,
        cause: expect.stringMatching(/not in place any more when it was to be healed: n1 was started anew/),
      })
      expect(await run.offMs(0)).toBeLessThan(toleranceMs)
    },
  )

  it(
    'has not landed when a new process of the node serves in its place',
    { timeout: timeoutMs },
    async () => {
      const run = await startTimed(supervisedNode)
      const fault = await once(run)
      expect(valueOf(fault.window.evidence, 'injector')).toBe(2)
      process.kill(Number(await run.ask('/pid')), 'SIGKILL')
      await expect.poll(() => run.offMs(0).catch(() => hourMs)).toBeLessThan(toleranceMs)
      expect(await fault.heal()).toMatchObject({
        landed: false,
        cause: expect.stringMatching(/the own clock of n1 moved by -?\d+ ms/),
      })
    },
  )

  it('is healed when its node is down', { timeout: timeoutMs }, async () => {
    const run = await startTimed(nodeProcess)
    const fault = await once(run)
    await run.context.lifecycle.kill('n1')
    expect(await fault.heal()).toMatchObject({ landed: false, cause: expect.stringMatching(/n1 is down/) })
  })

  it("has not landed when the node's own clock does not show it", { timeout: timeoutMs }, async () => {
    const run = await startTimed(nodeProcess)
    const fault = await inject(vain, { ...run.context, readClock: async () => Date.now() }, { id: 'F1' })
    expect(fault.window.landed).toBe(false)
    expect(fault.window.cause).toMatch(
      /own clock of n1 moved by -?\d+ ms against the machine's, not by 3600000 ms/,
    )
    await expect(fault.heal()).resolves.toMatchObject({ landed: false })
  })

  it(
    'has not landed when nobody says how to ask the node, unless another sign changes',
    { timeout: timeoutMs },
    async () => {
      const run = await startTimed(nodeProcess)
      const { readClock: ask, ...silent } = run.context
      const fault = await inject(vain, silent, { id: 'F1' })
      expect(fault.window.landed).toBe(false)
      expect(fault.window.cause).toMatch(/give system\(\) a `clock`/)
      await fault.heal()
      const sign = { name: 'hours', sample: async () => Math.round(((await ask?.('n1')) ?? 0) / hourMs) }
      const shown = await inject({ ...skew, landing: [sign] }, silent, { id: 'F2' })
      expect(shown.landed).toBe(true)
      await shown.heal()
    },
  )

  it('does not go on top of another one', { timeout: timeoutMs }, async () => {
    const run = await startTimed(nodeProcess)
    const fault = await once(run)
    await expect(once(run)).rejects.toThrow(
      /changed already: a node takes one clock fault at a time.*healed before/s,
    )
    expect(await run.offMs(hourMs)).toBeLessThan(toleranceMs)
    await fault.heal()
    expect(await run.offMs(0)).toBeLessThan(toleranceMs)
  })

  it('is declared with an offset or a factor that makes sense', () => {
    for (const offset of ['0s', '-51y', '1e9h', '', 'now', '--1h', Number.NaN, 600_000 * hourMs] as never[]) {
      expect(() => nemesis('clock-skew', { node: 'n1', offset }), String(offset)).toThrow(/offset/)
    }
    for (const factor of [1, 0, -1, 1e9, Number.NaN, '2'] as never[]) {
      expect(() => nemesis('clock-rate', { node: 'n1', factor }), String(factor)).toThrow(/factor/)
    }
    expect(nemesis('clock-skew', { node: 'n1', offset: -250 }).options).toMatchObject({ offset: -250 })
  })
})
