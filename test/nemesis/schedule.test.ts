import { describe, expect, it } from 'vitest'
import type { FaultWindow } from '../../src/nemesis/evidence.js'
import { nemesis } from '../../src/nemesis/nemesis.js'
import { runSchedule, type ScheduleOptions } from '../../src/nemesis/schedule.js'
import { fakeRun } from './fakes.js'

const never = new AbortController().signal

function options(more: Partial<ScheduleOptions> = {}): ScheduleOptions & { log: string[] } {
  const log: string[] = []
  return {
    durationMs: 600,
    signal: never,
    onOpen: (window: FaultWindow) => log.push(`open ${window.id}`),
    onClose: (window: FaultWindow) => log.push(`close ${window.id}`),
    ...more,
    log,
  }
}

const ms = (from: number, to: number | null) => ((to as number) - from) / 1e6

describe('runSchedule', () => {
  it('fires in the order of the times, lets faults overlap, and heals each in its time', async () => {
    const { context, lifecycle } = fakeRun()
    const told = options()
    const windows = await runSchedule(
      [
        nemesis('kill', { node: 'n3', at: 200, for: 100 }),
        nemesis('kill', { node: 'n2', at: 100, for: 350 }),
      ],
      context,
      told,
    )
    expect(windows.map(({ id, target, landed }) => [id, target, landed])).toEqual([
      ['F1', 'n2', true],
      ['F2', 'n3', true],
    ])
    expect(told.log).toEqual(['open F1', 'open F2', 'close F2', 'close F1'])
    expect(lifecycle.log).toEqual(['kill n2', 'kill n3', 'start n3', 'start n2'])
    for (const window of windows) expect(window.healed_ts).not.toBeNull()
    expect(ms(windows[0]?.landed_ts as number, windows[0]?.healed_ts as number)).toBeGreaterThanOrEqual(345)
  })

  it('heals what has no end at the end of the workload, in reverse order', async () => {
    const { context, lifecycle } = fakeRun()
    const start = context.clock.now()
    const windows = await runSchedule(
      [
        nemesis('kill', { node: 'n1' }),
        nemesis('stop', { node: 'n2', at: 100 }),
        nemesis('kill', { node: 'n3', at: 150, for: '1h' }),
      ],
      context,
      options({ durationMs: 400 }),
    )
    expect(lifecycle.log).toEqual(['kill n1', 'stop n2', 'kill n3', 'start n3', 'start n2', 'start n1'])
    expect(ms(start, windows[0]?.healed_ts ?? null)).toBeGreaterThanOrEqual(395)
  })

  it('does not fire after the end, and cuts the wait for evidence off there', async () => {
    const { context } = fakeRun()
    const told = options({ durationMs: 200 })
    const windows = await runSchedule(
      [nemesis('partition', { isolate: 'n1', at: 50 }), nemesis('kill', { node: 'n2', at: 200 })],
      context,
      told,
    )
    expect(windows).toMatchObject([
      { id: 'F1', landed: false, cause: expect.stringContaining('the workload ended') },
    ])
    expect(told.log).toEqual(['open F1', 'close F1'])
  })

  it('closes the window of a restart once it has landed', async () => {
    const { context } = fakeRun()
    const start = context.clock.now()
    const [window] = await runSchedule(
      [nemesis('restart', { node: 'n2' })],
      context,
      options({ durationMs: 2_000 }),
    )
    expect(window?.landed).toBe(true)
    expect(ms(start, window?.healed_ts ?? null)).toBeLessThan(1_500)
  })

  it('heals everything in reverse order at once when it is aborted', async () => {
    const { context, lifecycle } = fakeRun()
    const abort = new AbortController()
    const told = options({ durationMs: 60_000, signal: abort.signal })
    const running = runSchedule(
      [
        nemesis('kill', { node: 'n1' }),
        nemesis('kill', { node: 'n2', at: 50, for: '50s' }),
        nemesis('kill', { node: 'n3', at: '30s' }),
      ],
      context,
      { ...told, onInjected: (fault) => fault.id === 'F2' && abort.abort() },
    )
    const windows = await running
    expect(lifecycle.log).toEqual(['kill n1', 'kill n2', 'start n2', 'start n1'])
    expect(windows.map(({ healed_ts }) => healed_ts !== null)).toEqual([true, true])
  })

  it('heals the others when one cannot be put in place, and throws that error', async () => {
    const { context, lifecycle } = fakeRun()
    lifecycle.immortal.add('n2')
    const told = options({ durationMs: 60_000 })
    await expect(
      runSchedule([nemesis('kill', { node: 'n1' }), nemesis('kill', { node: 'n2', at: 100 })], context, told),
    ).rejects.toThrow(/F2 kill: could not be put in place: n2 cannot be killed/)
    expect(lifecycle.log).toEqual(['kill n1', 'kill n2', 'start n1'])
    expect(told.log).toEqual(['open F1', 'open F2', 'close F2', 'close F1'])
  })

  it('goes on healing when one cannot be undone, and names every failure', async () => {
    const { context, lifecycle } = fakeRun()
    lifecycle.doomed.add('n1')
    lifecycle.doomed.add('n2')
    const failed = runSchedule(
      [nemesis('kill', { node: 'n1' }), nemesis('kill', { node: 'n2' }), nemesis('kill', { node: 'n3' })],
      context,
      options({ durationMs: 300 }),
    )
    await expect(failed).rejects.toThrow(/F2 kill: could not be undone.*F1 kill: could not be undone/s)
    expect(lifecycle.states.get('n3')?.status).toBe('running')
  })

  it('draws the same targets from the same seed', async () => {
    const targets = async (seed: number) => {
      const faults = [
        nemesis('kill', { node: 'random', for: 10 }),
        nemesis('kill', { node: 'random', at: 150, for: 10 }),
      ]
      const windows = await runSchedule(
        faults,
        fakeRun({ seed, nodes: ['n1', 'n2', 'n3', 'n4', 'n5'] }).context,
        options({ durationMs: 300 }),
      )
      return windows.map(({ target }) => target)
    }
    expect(await targets(11)).toEqual(await targets(11))
  })
})
