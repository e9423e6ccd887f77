import { readFile } from 'node:fs/promises'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'
import type { NodeClocks } from '../../../src/systems/capabilities.js'
import { nodeClocks } from '../../../src/systems/clock/node-clocks.js'
import { openEntries } from '../../support/open-entries.js'
import { requires } from '../../support/requirements.js'
import { startTimed } from '../../nemesis/clocks/start.js'
import { redisContainer } from '../../nemesis/clocks/systems.js'
import { startClockTeller } from './clock-teller.js'

const hourMs = 3_600_000

requires(
  'linux',
  'x64',
  'docker',
  'busybox',
  'root',
  'redis',
)('the clock of a paused container', () => {
  it('is changed and set right while it is paused, which it stays', { timeout: 120_000 }, async () => {
    const { context, offMs } = await startTimed(redisContainer)
    const { lifecycle, clocks } = context
    await lifecycle.pause('n1')
    const rule = await clocks.skew('n1', hourMs)
    expect((await lifecycle.state('n1')).status).toBe('paused')
    await lifecycle.resume('n1')
    expect(await offMs(hourMs)).toBeLessThan(20)
    await lifecycle.pause('n1')
    await rule.remove()
    expect((await lifecycle.state('n1')).status).toBe('paused')
    await lifecycle.resume('n1')
    expect(await offMs(0)).toBeLessThan(20)
  })
})

requires(
  'linux',
  'x64',
  'cc',
  'strace',
)('the clock of a traced process', () => {
  it('is changed and set right while a tracer holds its threads', { timeout: 120_000 }, async () => {
    const teller = await startClockTeller()
    const tracer = execa('strace', ['-f', '-o', '/dev/null', '-p', String(teller.pid)], { reject: false })
    onTestFinished(async () => {
      tracer.kill('SIGKILL')
      await tracer
    })
    await expect.poll(async () => (await tracerOf(teller.pid)) !== 0, { timeout: 30_000 }).toBe(true)
    const journal = openEntries()
    const clocks = nodeClocks({ journal, pidOf: async () => teller.pid }) as NodeClocks
    for (let round = 0; round < 3; round++) {
      const rule = await clocks.skew('n1', hourMs)
      const told = await teller.ask()
      expect(told.offMs(0, hourMs)).toBeLessThan(20)
      await rule.remove()
      const after = await teller.ask()
      expect(after.offMs(0, 0)).toBeLessThan(20)
    }
  })
})

async function tracerOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1')
  return Number(/^TracerPid:\s*(\d+)$/m.exec(status)?.[1])
}
