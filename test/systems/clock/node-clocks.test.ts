import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { ClockRule, NodeClocks } from '../../../src/systems/capabilities.js'
import { nodeClocks } from '../../../src/systems/clock/node-clocks.js'
import { undoClock } from '../../../src/systems/clock/undo.js'
import { requires } from '../../support/requirements.js'
import { openEntries, type OpenEntries } from '../../support/open-entries.js'
import { startClockTeller, type ClockTeller, type Told } from './clock-teller.js'

const clock = {
  realtime: 0,
  monotonic: 1,
  processTime: 2,
  coarse: 5,
  boottime: 7,
  coarseMonotonic: 6,
} as const
const wallClocks = [clock.realtime, clock.coarse, 'gettimeofday', 'time'] as const
const steadyClocks = [clock.monotonic, clock.boottime] as const

/** `time` tells whole seconds, and a coarse clock is that of the last tick. */
const toleranceMs = (of: number | 'gettimeofday' | 'time') => (of === 'time' ? 1_010 : 20)
const hourMs = 3_600_000

requires(
  'linux',
  'x64',
  'cc',
)('clocks of processes', () => {
  let teller: ClockTeller
  let journal: OpenEntries
  let clocks: NodeClocks
  let pid: number | null
  beforeEach(async () => {
    teller = await startClockTeller()
    journal = openEntries()
    pid = teller.pid
    clocks = nodeClocks({ journal, pidOf: async () => pid }) as NodeClocks
  })

  const removedAfterwards = (rule: ClockRule): ClockRule => {
    onTestFinished(() => rule.remove())
    return rule
  }

  function expectWall(told: Told, offsetMs: number): void {
    for (const each of wallClocks) {
      expect(told.offMs(each, offsetMs), String(each)).toBeLessThan(toleranceMs(each))
    }
    expect(told).toMatchObject({ same: true, zone: 0 })
  }

  it.each([hourMs, -hourMs - 250.5, 90_000, -1_600_000_000_000])(
    'are put forward or back by %d ms, and right again',
    async (offsetMs) => {
      const before = await teller.ask()
      expectWall(before, 0)
      const rule = removedAfterwards(await clocks.skew('n1', offsetMs))
      const during = await teller.ask()
      expectWall(during, offsetMs)
      // No other clock moves: it goes on from where it was.
      for (const each of steadyClocks) {
        const wentMs = (during.ms(each) as number) - (before.ms(each) as number)
        expect(wentMs).toBeGreaterThan(0)
        expect(wentMs).toBeLessThan(during.answeredMs - before.askedMs + 20)
      }
      expect(during.ms(clock.processTime)).toBeLessThan(1_000)
      expect(await rule.reach()).toEqual({ changed: 1, unchanged: 0 })
      expect(await rule.present()).toBe(true)
      await rule.remove()
      await rule.remove()
      expectWall(await teller.ask(), 0)
      expect(await rule.present()).toBe(false)
      expect(journal.entries.size).toBe(0)
    },
  )

  it('answer for clocks that do not exist as before', async () => {
    const before = await teller.ask()
    removedAfterwards(await clocks.skew('n1', hourMs))
    const during = await teller.ask()
    for (let number = -6; number < 12; number++) {
      expect(during.ms(number) === null, String(number)).toBe(before.ms(number) === null)
    }
  })

  it.each([0.5, 0.02, 3])(
    'run %d times as fast, monotonic ones as well, and do not step back',
    async (factor) => {
      const before = await teller.ask()
      const rule = removedAfterwards(await clocks.rate('n1', factor))
      const first = await teller.ask()
      for (const each of [...wallClocks, ...steadyClocks]) {
        expect(first.ms(each), String(each)).toBeGreaterThanOrEqual(before.ms(each) as number)
      }
      await sleep(1_000)
      const last = await teller.ask()
      // Between the two answers went as much of the machine's time at least, and at most.
      const [leastMs, mostMs] = [last.askedMs - first.answeredMs, last.answeredMs - first.askedMs]
      for (const each of [clock.realtime, 'gettimeofday', ...steadyClocks] as const) {
        const wentMs = ((last.ms(each) as number) - (first.ms(each) as number)) / factor
        expect(wentMs, String(each)).toBeGreaterThan(leastMs * 0.95)
        expect(wentMs, String(each)).toBeLessThan(mostMs * 1.05)
      }
      await rule.remove()
      expectWall(await teller.ask(), 0)
    },
  )

  it('are those of a forked child as well, which gets its own back too', async () => {
    const rule = removedAfterwards(await clocks.skew('n1', hourMs))
    const child = await teller.ask('fork')
    expect(child.pid).not.toBe(teller.pid)
    expectWall(child, hourMs)
    expect(await rule.reach()).toEqual({ changed: 2, unchanged: 0 })
    await rule.remove()
    expectWall(await teller.ask(), 0)
    expect(await rule.reach()).toEqual({ changed: 0, unchanged: 2 })
  })

  it('are changed in children that run already', async () => {
    await teller.ask('fork')
    removedAfterwards(await clocks.skew('n1', hourMs))
    expectWall(await teller.ask(), hourMs)
  })

  it('are lost by exec and by a restart, and that is said', async () => {
    const rule = removedAfterwards(await clocks.skew('n1', hourMs))
    expect(await rule.lost()).toBeNull()
    expectWall(await teller.ask('exec'), 0)
    expect(await rule.lost()).toMatch(/somebody set the clock of n1 right again/)
    expect(await rule.reach()).toEqual({ changed: 0, unchanged: 1 })
    pid = (await startClockTeller()).pid
    expect(await rule.lost()).toBe('n1 was started anew')
    pid = null
    expect(await rule.lost()).toBe('n1 is down')
  })

  it('are not changed twice, by the same run or by another', async () => {
    const rule = removedAfterwards(await clocks.skew('n1', hourMs))
    await expect(clocks.rate('n1', 0.5)).rejects.toThrow(/changed already/)
    const other = nodeClocks({ journal: openEntries(), pidOf: async () => pid }) as NodeClocks
    await expect(other.skew('n1', 1_000)).rejects.toThrow(/not the kernel's own/)
    expectWall(await teller.ask(), hourMs)
    await rule.remove()
    removedAfterwards(await clocks.rate('n1', 0.5))
  })

  it('are undone from the journal alone, which lets a process go on that was left stopped', async () => {
    removedAfterwards(await clocks.skew('n1', hourMs))
    await teller.ask('fork')
    const [undo] = [...journal.entries.values()]
    if (undo?.kind !== 'clock') throw new Error('there is no undo')
    process.kill(teller.pid, 'SIGSTOP')
    expect(await undoClock(undo)).toBe(2)
    expectWall(await teller.ask(), 0)
    expect(await undoClock(undo)).toBe(0)
  })

  it('are changed and set right under threads and signal handlers that are in them most of the time', async () => {
    await teller.ask('busy')
    for (let round = 0; round < 30; round++) {
      const rule = removedAfterwards(await clocks.skew('n1', hourMs))
      expectWall(await teller.ask(), hourMs)
      await rule.remove()
      expectWall(await teller.ask(), 0)
    }
  })

  it('need no undo when the process is killed while it is under way', { timeout: 60_000 }, async () => {
    for (let round = 0; round < 10; round++) {
      const { pid: victim } = await startClockTeller()
      pid = victim
      const rule = await clocks.skew('n1', hourMs)
      const killed = sleep(Math.random() * 30).then(() => process.kill(victim, 'SIGKILL'))
      await rule.remove()
      await killed
      expect(journal.entries.size).toBe(0)
    }
  })

  it('are changed in a stopped process, which stays stopped', async () => {
    process.kill(teller.pid, 'SIGSTOP')
    removedAfterwards(await clocks.skew('n1', hourMs))
    const answer = teller.ask()
    expect(await Promise.race([answer, sleep(300, 'silent')])).toBe('silent')
    process.kill(teller.pid, 'SIGCONT')
    expectWall(await answer, hourMs)
  })
})
