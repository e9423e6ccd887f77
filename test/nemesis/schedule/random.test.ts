import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Nemesis } from '../../../src/nemesis/fault.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { resolveTarget } from '../../../src/nemesis/resolve.js'
import type { Played } from '../../../src/nemesis/schedule/run.js'
import type { ScheduledFault } from '../../../src/nemesis/schedule/record.js'
import type { FakeRun } from '../fakes.js'
import { sleep } from '../../../src/time/sleep.js'
import { stage } from './playing.js'

const landWithin = 25

const kinds = {
  kill: nemesis('kill', { node: 'random', landWithin }),
  stop: nemesis('stop', { node: 'minority', landWithin }),
  pause: nemesis('pause', { node: 'random', landWithin }),
  restart: nemesis('restart', { node: 'leader', landWithin }),
  isolate: nemesis('partition', { isolate: 'random', landWithin }),
  split: nemesis('partition', { split: 'majority-minority', landWithin }),
  bridge: nemesis('partition', { bridge: 'random', landWithin }),
  halves: nemesis('partition', { split: 'halves', landWithin }),
  ring: nemesis('partition', { shape: 'ring', landWithin }),
  groups: nemesis('partition', { groups: [['majority'], ['minority']], landWithin }),
  deaf: nemesis('asymmetric-partition', { from: 'others', to: 'leader', landWithin }),
  all: nemesis('kill', { node: 'all', landWithin }),
} satisfies Record<string, Nemesis>

interface Case {
  readonly seed: number
  readonly count: number
  readonly kinds: readonly (keyof typeof kinds)[]
  readonly maxOverlap: number
  readonly keepQuorum: boolean
  readonly quiet: number
}

const cases: fc.Arbitrary<Case> = fc.record({
  seed: fc.nat(1_000_000),
  count: fc.integer({ min: 4, max: 7 }),
  kinds: fc.uniqueArray(fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])), { minLength: 1 }),
  maxOverlap: fc.integer({ min: 1, max: 3 }),
  keepQuorum: fc.boolean(),
  quiet: fc.integer({ min: 1, max: 30 }),
})

/** Faults that are enough to judge a case by. */
const enough = 5
/** So many targets are resolved before it is said that the envelope allows none. */
const inVain = 60

/**
 * Plays the case on fakes with traffic on every link, until enough faults were in place, or none after many draws because
 * the envelope allows none. `look` is called whenever something may have changed.
 */
async function play(given: Case, look: (run: FakeRun) => void = () => {}, slowMs = 0): Promise<Played> {
  const nodes = Array.from({ length: given.count }, (_, index) => `n${index + 1}`)
  const { run, play: playing } = stage({ nodes, seed: given.seed })
  const roles = { leader: async () => ['n1'] }
  const stop = new AbortController()
  let faults = 0
  let asked = 0
  const ticker = setInterval(() => {
    for (const { from, to } of run.network.links) run.network.send(from, to)
    for (const node of nodes) run.network.suffering.set(node, (run.network.suffering.get(node) ?? 0) + 1)
    look(run)
  }, 5)
  onTestFinished(() => clearInterval(ticker))
  const plan = nemesis.random({
    kinds: given.kinds.map((name) => kinds[name]),
    maxOverlap: given.maxOverlap,
    keepQuorum: given.keepQuorum,
    quiet: given.quiet,
    for: [5, 40],
  })
  try {
    return await playing([plan], {
      durationMs: 110_000,
      signal: stop.signal,
      resolve: (target, how) => {
        asked += 1
        if (faults === 0 && asked > inVain) stop.abort()
        return resolveTarget(target, { nodes, roles, ...how })
      },
      onInjected: () => {
        look(run)
        faults += 1
        if (faults === enough) stop.abort()
      },
      recovered: async () => {
        await new Promise((resolve) => setTimeout(resolve, slowMs))
        return true
      },
    })
  } finally {
    clearInterval(ticker)
  }
}

/** The most nodes that are up and reach each other in both directions, found among all sets of nodes. */
function well({ context: { nodes }, lifecycle, network }: FakeRun): number {
  const cut = network.rules
    .filter(({ kind }) => kind === 'drop' || kind === 'reject')
    .flatMap(({ links }) => links)
  const reach = (one: string, other: string) =>
    !cut.some(({ from, to }) => (from === one && to === other) || (from === other && to === one))
  const up = nodes.filter((node) => lifecycle.states.get(node)?.status === 'running')
  let most = 0
  for (let set = 0; set < 2 ** up.length; set++) {
    const members = up.filter((_, index) => (set >> index) % 2 === 1)
    if (members.length <= most) continue
    if (members.every((one, index) => members.slice(index + 1).every((other) => reach(one, other))))
      most = members.length
  }
  return most
}

const drawn = ({ fault, afterMs, forMs, skipped }: ScheduledFault) => ({ fault, afterMs, forMs, skipped })

/** Each drawn fault with the target that it got. */
function sequenceOf({ windows, scheduled }: Played): readonly unknown[] {
  return (scheduled[0]?.faults ?? []).map((fault) => ({
    ...drawn(fault),
    target: windows.find(({ id }) => id === fault.id)?.target,
  }))
}

describe('a random schedule', () => {
  it('never leaves its envelope', { timeout: 120_000 }, async () => {
    const sample = fc.sample(cases, { numRuns: 80, seed: 4 })
    const played = await Promise.all(
      sample.map(async (given) => {
        let fewest = given.count
        const outcome = await play(given, (run) => (fewest = Math.min(fewest, well(run))))
        return { given, fewest, outcome }
      }),
    )
    for (const { given, fewest, outcome } of played) {
      const what = JSON.stringify(given)
      if (given.keepQuorum) expect(fewest, what).toBeGreaterThanOrEqual(Math.floor(given.count / 2) + 1)
      const { windows } = outcome
      expect(windows.map(({ id }) => id)).toEqual(windows.map((_, at) => `F${at + 1}`))
      for (const [index, { injected_ts, healed_ts }] of windows.entries()) {
        const inPlace = windows.filter(
          (other) => other.injected_ts <= injected_ts && (other.healed_ts ?? Infinity) > injected_ts,
        )
        expect(inPlace.length, what).toBeLessThanOrEqual(given.maxOverlap)
        expect(healed_ts, what).not.toBeNull()
        const before = windows[index - 1]?.healed_ts
        if (given.maxOverlap === 1 && before) {
          expect((injected_ts - before) / 1e6, what).toBeGreaterThanOrEqual(given.quiet - 1)
        }
      }
    }
    const kept = played.filter(({ given }) => given.keepQuorum)
    const faults = kept.flatMap(({ outcome }) => outcome.windows.map(({ fault }) => fault))
    expect(new Set(faults).size).toBe(6)
    expect(faults.length).toBeGreaterThan(enough * 20)
    // Without a quorum to keep, faults do take it.
    expect(played.some(({ given, fewest }) => !given.keepQuorum && fewest <= given.count / 2)).toBe(true)
  })

  it('is the same for the same seed, however long things take', { timeout: 120_000 }, async () => {
    const sample = fc.sample(cases, { numRuns: 30, seed: 5 })
    await Promise.all(
      sample.map(async (given) => {
        const [once, again] = await Promise.all([play(given), play(given, () => {}, 40)])
        const [one, other] = [sequenceOf(once), sequenceOf(again)]
        const common = Math.min(one.length, other.length)
        if (once.windows.length > 0) expect(common, JSON.stringify(given)).toBeGreaterThanOrEqual(enough)
        expect(other.slice(0, common), JSON.stringify(given)).toEqual(one.slice(0, common))
      }),
    )
  })

  it('puts nothing in that has no time to land and stay before the end', async () => {
    const kind = nemesis('kill', { node: 'random', landWithin: 1_000 })
    const { run, play: playing } = stage()
    const start = run.context.clock.now()
    const plan = nemesis.random({ kinds: [kind], quiet: 5, for: [100, 100] })
    const { windows } = await playing([plan], { durationMs: 2_600 })
    expect(windows.length).toBeGreaterThan(1)
    // It is decided at 1.5 s at the latest, and on a busy machine done a little later.
    for (const { injected_ts } of windows) expect((injected_ts - start) / 1e6).toBeLessThan(2_000)
  })

  it('has a seed of its own when one is declared, and ends by an event', async () => {
    const kind = nemesis('kill', { node: 'random', landWithin: 10 })
    const targets = async (seed: number) => {
      const { run, play: playing } = stage({ seed, nodes: ['n1', 'n2', 'n3', 'n4', 'n5'] })
      const kills = () => run.lifecycle.log.filter((call) => call.startsWith('kill'))
      const plan = nemesis.random({
        kinds: [kind],
        quiet: 5,
        for: [5, 10],
        seed: 3,
        until: () => kills().length >= 4,
      })
      await playing([plan], { durationMs: 30_000 })
      return kills().slice(0, 4)
    }
    expect(await targets(1)).toEqual(await targets(2))
  })

  it('starts a node again that ends by itself once its fault is healed', async () => {
    const { run, play: playing } = stage()
    const plan = nemesis.random({
      kinds: [nemesis('pause', { node: 'n1', landWithin: 10 })],
      quiet: 5,
      for: [5, 10],
    })
    let ended = false
    const { remarks, scheduled } = await playing([plan], {
      recovered: async () => {
        if (!ended) await run.lifecycle.stop('n1')
        ended = true
        while ((await run.lifecycle.state('n1')).status === 'exited') await sleep(5)
        return true
      },
    })
    expect(remarks).toEqual(['n1 ended by itself after the heal and was started again'])
    expect(scheduled[0]?.faults.every(({ recoveredMs }) => recoveredMs !== null)).toBe(true)
  })

  it('skips what fails before its first change because another fault is in place, and only then', async () => {
    const asked = (answer: () => string) =>
      nemesis('config-divergence', {
        ...{ node: 'random', apply: () => {}, restore: () => {}, read: answer },
        landWithin: 10,
      })
    const { run, play: playing } = stage({ nodes: ['n1', 'n2', 'n3', 'n4', 'n5'] })
    const down = () => [...run.lifecycle.states.values()].some(({ status }) => status === 'exited')
    const deaf = asked(() => {
      if (down()) throw new Error('n1 does not answer')
      return 'usual'
    })
    const kills = () => run.lifecycle.log.filter((call) => call.startsWith('kill')).length
    const plan = nemesis.random({
      ...{ kinds: [nemesis('kill', { node: 'random', landWithin: 10 }), deaf] },
      ...{ maxOverlap: 2, quiet: 5, for: [20, 30] as const, until: () => kills() > 20 },
    })
    const { scheduled } = await playing([plan], { durationMs: 110_000 })
    const skipped = scheduled[0]?.faults.filter(({ skipped: why }) => why?.includes('does not answer')) ?? []
    expect(skipped.length).toBeGreaterThan(0)

    const never = asked(() => {
      throw new Error('nobody answers')
    })
    const alone = nemesis.random({ kinds: [never], quiet: 5, for: [5, 10] })
    await expect(stage().play([alone])).rejects.toThrow('nobody answers')
  })

  it('skips what cannot go in at the moment, and goes on', async () => {
    let elections = 0
    // Nobody leads when the first fault is due.
    const leader = async () => ((elections += 1) > 2 ? ['n1'] : [])
    const { play: playing } = stage({ roles: { leader } })
    const plan = nemesis.random({
      kinds: [nemesis('kill', { node: 'leader', landWithin: 10 })],
      quiet: 5,
      for: [5, 10],
    })
    const { scheduled, windows } = await playing([plan], {
      resolve: async (target, how) =>
        resolveTarget(target, { nodes: ['n1', 'n2', 'n3'], roles: { leader }, roleWithinMs: 1, ...how }),
    })
    const [first, ...others] = scheduled[0]?.faults ?? []
    expect(first).toMatchObject({ id: null, skipped: expect.stringContaining('no leader right now') })
    expect(others.some(({ id }) => id !== null)).toBe(true)
    expect(windows.length).toBeGreaterThan(0)
  })

  it('counts the targets of other faults in place', async () => {
    const { play: playing } = stage()
    const plan = nemesis.random({
      kinds: [nemesis('kill', { node: 'random', landWithin: 10 })],
      quiet: 5,
      for: [5, 10],
    })
    const { windows, scheduled } = await playing([nemesis('kill', { node: 'n1' }), plan], {
      durationMs: 2_000,
    })
    expect(windows.map(({ target }) => target)).toEqual(['n1'])
    expect(scheduled[1]?.faults.length).toBeGreaterThan(1)
    for (const { id, skipped } of scheduled[1]?.faults ?? []) {
      expect(id).toBeNull()
      expect(skipped).toMatch(/gone, 1 of 3 nodes would be well, less than a majority/)
    }
  })

  it('keeps a quorum while nodes are restarted one after the other', async () => {
    const { run, play: playing } = stage()
    const rolling = nemesis('rolling-restart', { order: ['n3', 'n1', 'n2'], landWithin })
    const all = nemesis('restart', { node: 'all', landWithin })
    const { scheduled } = await playing([nemesis.random({ kinds: [rolling, all], quiet: 5 })], {
      durationMs: 30_000,
      onInjected: () => run.abort.abort(),
    })
    expect(scheduled[0]?.faults.find(({ id }) => id !== null)?.fault).toMatch(/^rolling-restart/)
    expect(run.lifecycle.log.filter((call) => call.startsWith('stop'))).toEqual([
      'stop n3',
      'stop n1',
      'stop n2',
    ])
  })

  it('ends when the system does not recover, and says so', async () => {
    const { play: playing } = stage()
    const plan = nemesis.random({ kinds: [kinds.kill], quiet: 5, for: [5, 10] })
    const { windows, scheduled, remarks } = await playing([plan], { recovered: async () => false })
    expect(windows).toHaveLength(1)
    expect(scheduled[0]?.faults).toMatchObject([{ id: 'F1', recoveredMs: null }])
    expect(remarks).toEqual(['random faults ended after F1: the system did not get ready again in its time'])
  })

  it('heals what is in place when a drawn fault cannot be put in place', async () => {
    const { run, play: playing } = stage({ nodes: ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7'] })
    for (const node of ['n1', 'n2', 'n3', 'n4', 'n5', 'n6', 'n7']) run.lifecycle.immortal.add(node)
    const plan = nemesis.random({ kinds: [kinds.stop, kinds.kill], maxOverlap: 3, quiet: 5, for: [200, 300] })
    await expect(playing([plan], { durationMs: 60_000 })).rejects.toThrow(/cannot be killed/)
    for (const { status } of run.lifecycle.states.values()) expect(status).toBe('running')
  })

  it('is refused on a system that is too small to keep a majority', async () => {
    const { play: playing } = stage({ nodes: ['n1', 'n2'] })
    await expect(playing([nemesis.random({ kinds: [kinds.kill] })])).rejects.toThrow(
      /of 2 nodes none can be taken.*keepQuorum: false/s,
    )
  })
})
