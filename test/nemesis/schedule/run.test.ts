import { describe, expect, it } from 'vitest'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import type { FaultPlan } from '../../../src/nemesis/schedule/plan.js'
import { stage } from './playing.js'

const ms = (from: number, to: number | null) => ((to as number) - from) / 1e6

describe('runSchedule', () => {
  it('fires in the order of the times, lets faults overlap, and heals each in its time', async () => {
    const { run, play, log } = stage()
    const { windows } = await play(
      [
        nemesis('kill', { node: 'n3', at: 200, for: 100 }),
        nemesis('kill', { node: 'n2', at: 100, for: 1_000 }),
      ],
      { durationMs: 30_000 },
    )
    expect(windows.map(({ id, target, landed }) => [id, target, landed])).toEqual([
      ['F1', 'n2', true],
      ['F2', 'n3', true],
    ])
    expect(log).toEqual(['open F1', 'open F2', 'close F2', 'close F1'])
    expect(run.lifecycle.log).toEqual(['kill n2', 'kill n3', 'start n3', 'start n2'])
    for (const window of windows) expect(window.healed_ts).not.toBeNull()
    expect(ms(windows[0]?.landed_ts as number, windows[0]?.healed_ts as number)).toBeGreaterThanOrEqual(995)
  })

  it('heals what has no end at the end of the workload, in reverse order', async () => {
    const { run, play } = stage()
    const start = run.context.clock.now()
    const { windows } = await play(
      [
        nemesis('kill', { node: 'n1' }),
        nemesis('stop', { node: 'n2', at: 100 }),
        nemesis('kill', { node: 'n3', at: 150, for: '1h' }),
      ],
      { durationMs: 2_000 },
    )
    expect(run.lifecycle.log).toEqual(['kill n1', 'stop n2', 'kill n3', 'start n3', 'start n2', 'start n1'])
    expect(ms(start, windows[0]?.healed_ts ?? null)).toBeGreaterThanOrEqual(1_995)
  })

  it('does not fire after the end, and cuts the wait for evidence off there', async () => {
    const { play, log } = stage()
    const { windows } = await play(
      [nemesis('partition', { isolate: 'n1', at: 50 }), nemesis('kill', { node: 'n2', at: 1_000 })],
      { durationMs: 1_000 },
    )
    expect(windows).toMatchObject([
      { id: 'F1', landed: false, cause: expect.stringContaining('the workload ended') },
    ])
    expect(log).toEqual(['open F1', 'close F1'])
  })

  it('closes the window of a restart once it has landed', async () => {
    const { run, play } = stage()
    const start = run.context.clock.now()
    const { windows } = await play([nemesis('restart', { node: 'n2' })], { durationMs: 60_000 })
    const [window] = windows
    expect(window?.landed).toBe(true)
    expect(ms(start, window?.healed_ts ?? null)).toBeLessThan(30_000)
  })

  it('heals everything in reverse order at once when it is aborted', async () => {
    const { run, play } = stage()
    const abort = new AbortController()
    const { windows } = await play(
      [
        nemesis('kill', { node: 'n1' }),
        nemesis('kill', { node: 'n2', at: 50, for: '50s' }),
        nemesis('kill', { node: 'n3', at: '30s' }),
      ],
      {
        durationMs: 60_000,
        signal: abort.signal,
        onInjected: (fault) => fault.id === 'F2' && abort.abort(),
      },
    )
    expect(run.lifecycle.log).toEqual(['kill n1', 'kill n2', 'start n2', 'start n1'])
    expect(windows.map(({ healed_ts }) => healed_ts !== null)).toEqual([true, true])
  })

  it('heals the others when one cannot be put in place, and throws that error', async () => {
    const { run, play, log } = stage()
    run.lifecycle.immortal.add('n2')
    await expect(
      play([nemesis('kill', { node: 'n1' }), nemesis('kill', { node: 'n2', at: 100 })], {
        durationMs: 60_000,
      }),
    ).rejects.toThrow(/F2 kill: could not be put in place: n2 cannot be killed/)
    expect(run.lifecycle.log).toEqual(['kill n1', 'kill n2', 'start n1'])
    expect(log).toEqual(['open F1', 'open F2', 'close F2', 'close F1'])
  })

  it('goes on healing when one cannot be undone, and names every failure', async () => {
    const { run, play } = stage()
    run.lifecycle.doomed.add('n1')
    run.lifecycle.doomed.add('n2')
    const failed = play(
      [nemesis('kill', { node: 'n1' }), nemesis('kill', { node: 'n2' }), nemesis('kill', { node: 'n3' })],
      { durationMs: 1_000 },
    )
    await expect(failed).rejects.toThrow(/F2 kill: could not be undone.*F1 kill: could not be undone/s)
    expect(run.lifecycle.states.get('n3')?.status).toBe('running')
  })

  it('draws the same targets from the same seed, whatever else is drawn', async () => {
    const nodes = Array.from({ length: 9 }, (_, index) => `n${index + 1}`)
    const target = async (seed: number, more: readonly FaultPlan[]) => {
      const random = nemesis('kill', { node: 'random', at: 60, for: 10 })
      const { windows } = await stage({ seed, nodes }).play([random, ...more], { durationMs: 30_000 })
      return windows.at(-1)?.target
    }
    const alone = await target(11, [])
    expect(
      await target(11, [nemesis('latency', { on: 'random', delay: '1ms', landWithin: 1, for: 10 })]),
    ).toBe(alone)
    expect(await target(11, [])).toBe(alone)
    expect(
      new Set(await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => target(seed, [])))).size,
    ).toBeGreaterThan(1)
  })

  it('fires again and again until its time, and not when it could not land and stay before that', async () => {
    const { play } = stage()
    const again = nemesis('kill', {
      node: 'n1',
      at: 100,
      for: 20,
      every: 1_000,
      until: 3_100,
      landWithin: 50,
    })
    const { windows, scheduled } = await play([again], { durationMs: 60_000 })
    expect(windows.map(({ landed }) => landed)).toEqual([true, true, true])
    expect(scheduled).toMatchObject([
      {
        declared: 'kill node=n1 at 100 for 20 every 1000 until 3100',
        faults: [100, 1_100, 2_100].map((afterMs, index) => ({ afterMs, forMs: 20, id: `F${index + 1}` })),
      },
    ])
  })

  it('ends a fault by an event that comes after it, and says so when it never comes', async () => {
    const { run, play } = stage()
    const fired = () => run.lifecycle.log.includes('kill n2')
    const start = run.context.clock.now()
    const { windows, remarks } = await play(
      [
        nemesis('kill', { node: 'n1', until: fired }),
        nemesis('kill', { node: 'n2', at: 150, for: 10 }),
        nemesis('kill', {
          node: 'n3',
          until: () => {
            throw new Error('no quorum to ask')
          },
        }),
      ],
      { durationMs: 3_000 },
    )
    const healed = (node: string) =>
      ms(start, windows.find(({ target }) => target === node)?.healed_ts ?? null)
    expect(healed('n1')).toBeGreaterThanOrEqual(145)
    expect(healed('n1')).toBeLessThan(2_900)
    expect(healed('n3')).toBeGreaterThanOrEqual(2_995)
    expect(remarks).toEqual(['the event that ends kill node=n3 did not come: no quorum to ask'])
  })

  it('plays a sequence, each step from the heal of the one before', async () => {
    const { run, play, log } = stage()
    const both = nemesis.overlap(
      nemesis('kill', { node: 'n1', for: 400 }),
      nemesis('stop', { node: 'n2', at: 30, for: 1_000 }),
    )
    const steps = nemesis.sequence(
      both,
      nemesis('restart', { node: 'n3' }),
      nemesis('kill', { node: 'n1', for: 20 }),
      {
        pause: 40,
      },
    )
    const { windows } = await play([steps], { durationMs: 30_000 })
    expect(log.join(' ')).toMatch(/^open F1 open F2 close F1 close F2 open F3 close F3 open F4 close F4$/)
    expect(run.lifecycle.log.filter((call) => !call.startsWith('start'))).toEqual([
      'kill n1',
      'stop n2',
      'stop n3',
      'kill n1',
    ])
    const [, second, third, fourth] = windows
    expect(ms(second?.healed_ts ?? 0, third?.injected_ts ?? null)).toBeGreaterThanOrEqual(38)
    expect(ms(third?.healed_ts ?? 0, fourth?.injected_ts ?? null)).toBeGreaterThanOrEqual(38)
  })

  it('leaves out the steps whose turn does not come', async () => {
    const steps = nemesis.sequence(
      nemesis('kill', { node: 'n1', for: 100 }),
      nemesis('kill', { node: 'n2', at: 1_000, for: 100 }),
      nemesis('kill', { node: 'n3', for: 100 }),
    )
    const { windows, scheduled } = await stage().play([steps], { durationMs: 1_000 })
    expect(windows.map(({ target }) => target)).toEqual(['n1'])
    expect(scheduled.map(({ declared, faults }) => [declared, faults.length])).toEqual([
      ['kill node=n1 for 100', 1],
      ['kill node=n2 at 1000 for 100', 0],
      ['kill node=n3 for 100', 0],
    ])
  })

  it('heals all and begins nothing more when a step of a sequence fails', async () => {
    const { run, play } = stage()
    run.lifecycle.immortal.add('n2')
    const steps = nemesis.sequence(
      nemesis('kill', { node: 'n1', for: 20 }),
      nemesis('kill', { node: 'n2', for: 20 }),
      nemesis('kill', { node: 'n1', for: 20 }),
    )
    await expect(play([nemesis('stop', { node: 'n3' }), steps], { durationMs: 60_000 })).rejects.toThrow(
      /kill: could not be put in place: n2 cannot be killed/,
    )
    expect(run.lifecycle.log.filter((call) => call === 'kill n1')).toHaveLength(1)
    expect([...run.lifecycle.states.values()].map(({ status }) => status)).toEqual([
      'running',
      'running',
      'running',
    ])
  })
})
