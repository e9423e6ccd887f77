import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { EnvironmentError, FaultError } from '../../src/errors.js'
import type { FaultWindow } from '../../src/nemesis/evidence.js'
import type { Nemesis } from '../../src/nemesis/fault.js'
import { inject } from '../../src/nemesis/inject.js'
import { nemesis } from '../../src/nemesis/nemesis.js'
import { FakeNetwork, fakeRun, quiet, type FakeRun } from './fakes.js'

const rows = (window: FaultWindow) =>
  window.evidence.map(
    ({ side, subject, signal, before, after }) => `${side} ${subject} ${signal}: ${before} -> ${after}`,
  )

/** Injects while traffic flows on the given links, and victims suffer when told so. */
async function underTraffic(
  run: FakeRun,
  declared: Nemesis,
  links: readonly [string, string][],
  suffers: readonly string[] = [],
) {
  run.network.meanwhile = () => {
    for (const [from, to] of links) run.network.send(from, to)
    for (const node of suffers) run.network.suffering.set(node, (run.network.suffering.get(node) ?? 0) + 1)
  }
  try {
    return await inject(declared, run.context, { id: 'F1' })
  } finally {
    run.network.meanwhile = () => {}
  }
}

describe('process faults', () => {
  it('proves a kill by the exit signal and the port, and starts the node again', async () => {
    const { context, lifecycle } = fakeRun()
    const windows: string[] = []
    const fault = await inject(nemesis('kill', { node: 'leader' }), context, {
      id: 'F1',
      onOpen: (window) => windows.push(`open ${window.id} ${lifecycle.log.length}`),
      onClose: (window) => windows.push(`close ${window.id} ${window.healed_ts !== null}`),
    })
    expect(fault.landed).toBe(true)
    expect(rows(fault.window)).toEqual([
      'injector n1 process state: running -> exited by SIGKILL',
      'victim n1 connect to its port: answers -> refused',
    ])
    expect(fault.window).toMatchObject({
      id: 'F1',
      fault: 'kill',
      target: 'n1',
      cause: null,
      healed_ts: null,
    })
    expect(fault.affects).toEqual(['n1', 'n2', 'n3'])
    const healed = await fault.heal()
    await fault.heal()
    expect(lifecycle.log).toEqual(['kill n1', 'start n1'])
    expect(healed.healed.map(({ signal, before, after }) => [signal, before, after])).toEqual([
      ['process state', 'exited by SIGKILL', 'running'],
      ['connect to its port', 'refused', 'answers'],
    ])
    expect(healed.healed_ts).toBeGreaterThan(healed.landed_ts as number)
    expect(windows).toEqual(['open F1 0', 'close F1 true'])
  })

  it('does not take another end for a kill', async () => {
    const { context, lifecycle } = fakeRun()
    lifecycle.exit = { exitCode: 1, exitSignal: null }
    const fault = await inject(nemesis('kill', { node: 'n2', landWithin: 100 }), context, { id: 'F1' })
    expect(fault.landed).toBe(false)
    expect(fault.window.cause).toMatch(
      /n2 ended by itself, not by the kill: exited with code 1; waited \d+\.\d s$/,
    )
    await fault.heal()
  })

  it('accepts the exit code by which an engine reports SIGKILL', async () => {
    const { context, lifecycle } = fakeRun()
    lifecycle.exit = { exitCode: 137, exitSignal: null }
    expect((await inject(nemesis('kill', { node: 'n2' }), context, { id: 'F1' })).landed).toBe(true)
  })

  it('does not take a kill after the grace for a graceful stop', async () => {
    const { context, lifecycle } = fakeRun()
    const good = await inject(nemesis('stop', { node: 'n2' }), context, { id: 'F1' })
    expect(rows(good.window)[0]).toBe('injector n2 process state: running -> exited with code 0')
    expect(good.landed).toBe(true)
    lifecycle.exit = { exitCode: null, exitSignal: 'SIGKILL' }
    const bad = await inject(nemesis('stop', { node: 'n3', grace: '2s', landWithin: 100 }), context, {
      id: 'F2',
    })
    expect(bad.window.cause).toMatch(/n3 did not end within 2\.0 s of being asked and was killed/)
  })

  it('needs a waiting operation or standing CPU time to believe in a pause', async () => {
    const idle = fakeRun()
    const unproven = await inject(nemesis('pause', { node: 'n1', landWithin: 100 }), idle.context, {
      id: 'F1',
    })
    expect(unproven.window.cause).toMatch(/nothing that n1 serves was seen to suffer/)
    await unproven.heal()
    expect(idle.lifecycle.log).toEqual(['pause n1', 'resume n1'])

    const busy = fakeRun()
    busy.activity.set('n1', { ...quiet, oldestWaitMs: 400 })
    const proven = await inject(nemesis('pause', { node: 'n1' }), busy.context, { id: 'F1' })
    expect(proven.landed).toBe(true)
    expect(rows(proven.window)[1]).toBe(
      'victim n1 wait of the oldest unanswered client operation (ms): 0 -> 400',
    )

    const working = fakeRun()
    let cpuMs = 0
    const state = working.lifecycle.state.bind(working.lifecycle)
    working.lifecycle.state = async (node) => {
      const now = await state(node)
      if (now.status === 'running') cpuMs += 50
      return { ...now, cpuMs }
    }
    const frozen = await inject(nemesis('pause', { node: 'n2' }), working.context, { id: 'F1' })
    expect(frozen.landed).toBe(true)
    expect(frozen.window.evidence.find(({ signal }) => signal.startsWith('CPU'))).toMatchObject({ after: 0 })
    expect(frozen.window.evidence.find(({ signal }) => signal.startsWith('CPU'))?.before).toBeGreaterThan(0)
  })

  it('restarts once and shows the new start time', async () => {
    const { context, lifecycle } = fakeRun()
    const fault = await inject(nemesis('restart', { node: ['n1', 'n3'] }), context, { id: 'F1' })
    expect(fault.landed).toBe(true)
    expect(rows(fault.window)).toEqual([
      'injector n1 start time: start 1 -> start 4',
      'injector n3 start time: start 3 -> start 5',
      'victim n1 connect to its port while it was down: answers -> refused',
      'victim n3 connect to its port while it was down: answers -> refused',
    ])
    await fault.heal()
    expect(lifecycle.log.toSorted()).toEqual(['start n1', 'start n3', 'stop n1', 'stop n3'])
  })

  it('throws when a node cannot be killed, after starting the others again', async () => {
    const { context, lifecycle } = fakeRun()
    lifecycle.immortal.add('n2')
    const closed: FaultWindow[] = []
    const refused = inject(nemesis('kill', { node: ['n1', 'n2'] }), context, {
      id: 'F1',
      onClose: (window) => closed.push(window),
    })
    await expect(refused).rejects.toThrow(/F1 kill: could not be put in place: n2 cannot be killed/)
    await expect(refused).rejects.toBeInstanceOf(FaultError)
    expect(lifecycle.log).toEqual(['kill n1', 'kill n2', 'start n1'])
    expect(closed).toMatchObject([{ landed: false, cause: expect.stringContaining('n2 cannot be killed') }])
  })

  it('throws for a node that is down already, without opening a window', async () => {
    const { context, lifecycle } = fakeRun()
    await lifecycle.kill('n2')
    const opened: FaultWindow[] = []
    await expect(
      inject(nemesis('kill', { node: 'n2' }), context, { id: 'F1', onOpen: (window) => opened.push(window) }),
    ).rejects.toThrow(/n2 is not running: exited by SIGKILL/)
    expect(opened).toEqual([])
  })

  it('throws when the node does not stay up after the heal, and lets it be tried again', async () => {
    const { context, lifecycle } = fakeRun()
    const fault = await inject(nemesis('kill', { node: 'n2' }), context, { id: 'F1' })
    lifecycle.doomed.add('n2')
    await expect(fault.heal()).rejects.toThrow(
      /F1 kill: could not be undone: n2 did not stay up.*exited with code 1/s,
    )
    expect(fault.window.healed_ts).toBeNull()
    lifecycle.doomed.clear()
    expect((await fault.heal()).healed_ts).not.toBeNull()
  })
})

describe('network faults', () => {
  it('proves a partition by counters and victims, and reports silent links with 0', async () => {
    const run = fakeRun()
    const traffic: [string, string][] = [
      ['n1', 'n2'],
      ['n2', 'n1'],
    ]
    const fault = await underTraffic(run, nemesis('partition', { isolate: 'leader' }), traffic, ['n2'])
    expect(fault.landed).toBe(true)
    expect(fault.window.target).toBe('n1 | n2, n3')
    const links = Object.fromEntries(
      fault.window.evidence.map(({ subject, before, after }) => [subject, [before, after]]),
    )
    expect(links['n1->n3']).toEqual([0, 0])
    expect(links['n1->n2']?.[1]).toBeGreaterThan(0)
    expect(run.network.log[0]).toBe('put drop n1->n2 n1->n3 n2->n1 n3->n1')
    const { healed } = await fault.heal()
    expect(healed).toMatchObject([{ signal: 'rule in place', before: 'yes', after: 'no' }])
    expect(run.network.rules).toEqual([])
  })

  it('does not land on links without traffic, and says so', async () => {
    const run = fakeRun()
    const declared = nemesis('partition', { groups: [['n2'], ['n3']], landWithin: 150 })
    const fault = await underTraffic(
      run,
      declared,
      [
        ['n1', 'n2'],
        ['n1', 'n3'],
      ],
      ['n2'],
    )
    expect(fault.landed).toBe(false)
    const { cause } = fault.window
    expect(cause?.replace(/\d+\.\d s$/, 'SECONDS')).toBe(
      'no traffic met the rule on n2->n3, n3->n2 (0 before, 0 after): the links carry no traffic, or it goes another way; waited SECONDS',
    )
    expect(Number(/(\d+\.\d) s$/.exec(cause ?? '')?.[1])).toBeGreaterThanOrEqual(0.2)
    await fault.heal()
  })

  it('does not land when nobody suffers', async () => {
    const run = fakeRun()
    const fault = await underTraffic(run, nemesis('partition', { isolate: 'n1', landWithin: 100 }), [
      ['n1', 'n2'],
    ])
    expect(fault.window.cause).toMatch(/nothing changed on any victim/)
    await fault.heal()
  })

  it('takes failing clients for a victim, but not failures that are usual there', async () => {
    const run = fakeRun()
    run.activity.set('n1', { ok: 5, failed: 0, unknown: 4, oldestWaitMs: 0 })
    const fault = await underTraffic(run, nemesis('partition', { isolate: 'n1' }), [['n1', 'n2']])
    expect(rows(fault.window)).toContain(
      'victim n1 client operations that failed or got no answer (%): 0 -> 44.4',
    )
    await fault.heal()

    const usual = fakeRun()
    const activity = { ok: 5, failed: 4, unknown: 0, oldestWaitMs: 0 }
    const context = { ...usual.context, activity: () => activity }
    const unproven = await underTraffic(
      { ...usual, context },
      nemesis('partition', { isolate: 'n1', landWithin: 100 }),
      [['n1', 'n2']],
    )
    expect(unproven.landed).toBe(false)
    await unproven.heal()
  })

  it('names a link that carries traffic round the rule, and a bypass', async () => {
    const leaky = fakeRun()
    leaky.network.leaks.add('n1->n3')
    const leak = await underTraffic(
      leaky,
      nemesis('partition', { isolate: 'n1', landWithin: 100 }),
      [
        ['n1', 'n2'],
        ['n1', 'n3'],
      ],
      ['n1'],
    )
    expect(leak.window.cause).toMatch(
      /traffic crosses n1->n3 without meeting the rule \(\d+ passed, 0 dropped\)/,
    )
    await leak.heal()

    const round = fakeRun()
    round.network.bypasses = ['n1->n2 on port 7001']
    const bypass = await underTraffic(round, nemesis('partition', { isolate: 'n1' }), [['n1', 'n2']], ['n1'])
    expect(bypass.window.cause).toBe('traffic went round the fault: n1->n2 on port 7001')
    await bypass.heal()
  })

  it('takes the landing back when traffic finds a way round later', async () => {
    const run = fakeRun()
    const fault = await underTraffic(run, nemesis('partition', { isolate: 'n1' }), [['n1', 'n2']], ['n1'])
    expect(fault.landed).toBe(true)
    run.network.bypasses = ['n1->n2 directly']
    expect(await fault.heal()).toMatchObject({
      landed: false,
      cause: expect.stringContaining('n1->n2 directly'),
    })
    expect(fault.landed).toBe(false)
  })

  it('shows that an asymmetric partition leaves the other direction open', async () => {
    const run = fakeRun()
    const both: [string, string][] = [
      ['n1', 'n2'],
      ['n2', 'n1'],
    ]
    const fault = await underTraffic(
      run,
      nemesis('asymmetric-partition', { from: 'leader', to: 'others' }),
      both,
      ['n2'],
    )
    expect(fault.landed).toBe(true)
    expect(fault.window.target).toBe('n1 -> n2, n3')
    const open = fault.window.evidence.find(({ subject }) => subject === 'n2->n1')
    expect(open).toMatchObject({ signal: 'traffic let through the other way', before: 0 })
    expect(open?.after).toBeGreaterThan(0)
    await fault.heal()
    expect(run.network.rules).toEqual([])

    const oneWay = fakeRun()
    const dead = await underTraffic(
      oneWay,
      nemesis('asymmetric-partition', { from: 'others', to: 'n1', landWithin: 100 }),
      [
        ['n2', 'n1'],
        ['n3', 'n1'],
      ],
      ['n1'],
    )
    expect(dead.window.cause).toMatch(/nothing came through on n1->n2, n1->n3, which stays open/)
    await dead.heal()
  })

  it('draws a ring in which everybody sees a majority, and no two the same', async () => {
    for (const count of [4, 5, 6, 7]) {
      const nodes = Array.from({ length: count }, (_, i) => `n${i + 1}`)
      const run = fakeRun({ nodes, seed: count })
      const all = nodes.flatMap((from) => nodes.map((to): [string, string] => [from, to]))
      const fault = await underTraffic(run, nemesis('partition', { shape: 'ring' }), all, ['n1'])
      expect(fault.landed).toBe(true)
      expect(fault.window.target).toMatch(/^ring (n\d - )+n\d$/)
      const cut = new Set(run.network.log[0]?.split(' ').slice(2))
      const seen = nodes.map((node) =>
        nodes.filter((other) => other === node || !cut.has(`${node}->${other}`)).join(' '),
      )
      expect(new Set(seen).size).toBe(count)
      for (const view of seen) expect(view.split(' ').length).toBeGreaterThan(count / 2)
      for (const link of cut) expect(cut).toContain(link.split('->').toReversed().join('->'))
      await fault.heal()
    }
    const small = inject(nemesis('partition', { shape: 'ring' }), fakeRun().context, { id: 'F1' })
    await expect(small).rejects.toThrow(/a ring of 3 nodes has nothing to cut/)
  })

  it('draws halves', async () => {
    const nodes = ['n1', 'n2', 'n3', 'n4', 'n5']
    const run = fakeRun({ nodes, seed: 3 })
    const all = nodes.flatMap((from) => nodes.map((to): [string, string] => [from, to]))
    const fault = await underTraffic(run, nemesis('partition', { split: 'halves' }), all, ['n1'])
    const sides = fault.window.target.split(' | ').map((side) => side.split(', '))
    expect(sides.map((side) => side.length)).toEqual([2, 3])
    expect(sides.flat().toSorted()).toEqual(nodes)
    expect(run.network.log[0]?.split(' ').slice(2)).toHaveLength(12)
    await fault.heal()
  })

  it('leaves connections on purpose, and does not take them for a leak', async () => {
    const run = fakeRun()
    run.network.leaks.add('n1->n3')
    const declared = nemesis('partition', { isolate: 'n1', established: 'left' })
    const traffic: [string, string][] = [
      ['n1', 'n2'],
      ['n1', 'n3'],
    ]
    const fault = await underTraffic(run, declared, traffic, ['n1'])
    expect(fault.landed).toBe(true)
    expect(fault.window.target).toBe('n1 | n2, n3 (open connections left)')
    expect(run.network.options).toEqual([{ established: 'left' }])
    await fault.heal()
    const calls = nemesis('asymmetric-partition', { from: 'n1', to: 'n2', level: 'connections' })
    const both = await underTraffic(
      run,
      calls,
      [
        ['n1', 'n2'],
        ['n2', 'n1'],
      ],
      ['n1'],
    )
    expect(both.window.target).toBe('n1 -> n2 (connections)')
    expect(run.network.options[1]).toEqual({ level: 'connections', established: 'cut' })
    await both.heal()
  })

  it('shows the share that was lost, and waits for the first loss', async () => {
    const run = fakeRun()
    const declared = nemesis('packet-loss', { between: ['n1', 'n2'], share: 0.5 })
    const fault = await underTraffic(run, declared, [['n1', 'n2']], ['n1'])
    expect(fault.landed).toBe(true)
    expect(fault.window.target).toBe('n1 | n2 losing 50%')
    expect(rows(fault.window)).toContain('injector n1->n2 share of packets lost (%): 0 -> 100')
    await fault.heal()

    const lucky = fakeRun()
    lucky.network.leaks.add('n1->n2')
    const unproven = await underTraffic(
      lucky,
      nemesis('packet-loss', { between: ['n1', 'n2'], share: 0.01, landWithin: 100 }),
      [['n1', 'n2']],
      ['n1'],
    )
    expect(unproven.window.cause).toMatch(/of \d+ that crossed n1->n2, n2->n1 none was lost/)
    await unproven.heal()
  })

  it('caps links, at a rate in words', async () => {
    const run = fakeRun()
    const fault = await underTraffic(
      run,
      nemesis('bandwidth', { on: 'leader', rate: '1.5mbit' }),
      [['n1', 'n2']],
      ['n1'],
    )
    expect(fault.landed).toBe(true)
    expect(run.network.log).toContain('limit 1500000')
    expect(fault.window.target).toBe('n1 at 1.5mbit a second')
    await fault.heal()
  })

  it('cannot lose packets where there are none', async () => {
    const run = fakeRun()
    const network = new Proxy(run.network, {
      get: (of, name) => (name === 'lose' ? undefined : Reflect.get(of, name)),
    })
    const refused = inject(
      nemesis('packet-loss', { on: 'n1', share: 0.1 }),
      { ...run.context, network },
      { id: 'F1' },
    )
    await expect(refused).rejects.toThrow(/has no packets to lose/)
    await expect(refused).rejects.toBeInstanceOf(EnvironmentError)
  })

  it('tells a rule in the wrong place from links without traffic, by a watch beside it', async () => {
    const run = fakeRun()
    run.network.misplaced = true
    const declared = nemesis('partition', { isolate: 'n1', landWithin: 900 })
    const fault = await underTraffic(run, declared, [['n1', 'n2']], ['n1'])
    expect(fault.landed).toBe(false)
    expect(fault.window.cause).toMatch(
      /does not meet the rule \(\d+ on n1->n2, 0 dropped\): the rule is in a chain, or on an interface/,
    )
    await fault.heal()
    expect(run.network.rules).toEqual([])
  })

  it('takes the landing back when something else resumes a paused node', async () => {
    const run = fakeRun()
    run.activity.set('n2', { ...quiet, oldestWaitMs: 400 })
    const fault = await inject(nemesis('pause', { node: 'n2' }), run.context, { id: 'F1' })
    const landedBefore = fault.landed
    await run.lifecycle.resume('n2')
    const { landed, cause } = await fault.heal()
    expect([landedBefore, landed]).toEqual([true, false])
    expect(cause).toMatch(/not in place any more .*: something else has resumed n2/)
  })

  it('takes the landing back when something else takes the rule away, or brings a node back', async () => {
    const run = fakeRun()
    const cut = await underTraffic(run, nemesis('partition', { isolate: 'n1' }), [['n1', 'n2']], ['n1'])
    expect(cut.landed).toBe(true)
    run.network.gone = 'something else has taken the rule out'
    expect(await cut.heal()).toMatchObject({
      landed: false,
      cause: expect.stringContaining('taken the rule out'),
    })

    const killed = await inject(nemesis('kill', { node: 'n1' }), run.context, { id: 'F2' })
    expect(killed.landed).toBe(true)
    await run.lifecycle.start('n1')
    expect(await killed.heal()).toMatchObject({
      landed: false,
      cause: expect.stringContaining('something else has started n1 again, such as a restart policy'),
    })
  })

  it('does not take a node that stays paused for healed', async () => {
    const run = fakeRun()
    run.activity.set('n1', { ...quiet, oldestWaitMs: 400 })
    const fault = await inject(nemesis('pause', { node: 'n1' }), run.context, { id: 'F1' })
    const resume = run.lifecycle.resume.bind(run.lifecycle)
    run.lifecycle.resume = async () => {}
    await expect(fault.heal()).rejects.toThrow(/n1 is still paused after it was resumed/)
    run.lifecycle.resume = resume
    await fault.heal()
    expect((await run.lifecycle.state('n1')).status).toBe('running')
  })

  it('wants a wait of the length of the delay, however much that varies', async () => {
    const { context, network, activity } = fakeRun()
    network.meanwhile = () => network.send('n1', 'n2')
    activity.set('n1', { ...quiet, oldestWaitMs: 70 })
    const declared = nemesis('latency', { on: 'n1', delay: '100ms', jitter: '100ms', landWithin: 50 })
    const usual = await inject(declared, context, { id: 'F1' })
    expect(usual.window.cause).toMatch(/^nothing changed on any victim/)
    await usual.heal()
    activity.set('n1', { ...quiet, oldestWaitMs: 90 })
    const slow = await inject(declared, context, { id: 'F2' })
    expect(slow.window).toMatchObject({ landed: true, cause: null })
    await slow.heal()
  })

  it('delays what is asked for', async () => {
    const run = fakeRun()
    run.activity.set('n1', { ...quiet, oldestWaitMs: 60 })
    const declared = nemesis('latency', { on: 'n1', delay: '50ms', jitter: 5 })
    const fault = await underTraffic(run, declared, [['clients', 'n1']])
    expect(run.network.log[0]).toBe('delay 50 5')
    expect(fault.window.target).toBe('n1 by 50 ms ± 5 ms')
    expect(fault.landed).toBe(true)
    expect(rows(fault.window)).toContain(
      'victim n1 wait of the oldest unanswered client operation (ms): 0 -> 60',
    )
    await fault.heal()
  })

  it.each([
    [
      'majority and minority',
      nemesis('partition', { split: 'majority-minority' }),
      /^n\d, n\d \| n\d, n\d, n\d$/,
    ],
    [
      'a named minority',
      nemesis('partition', { split: 'majority-minority', minority: 'n4' }),
      /^n4 \| n1, n2, n3, n5$/,
    ],
    ['a bridge', nemesis('partition', { bridge: 'n3' }), /^n\d, n\d \| n\d, n\d \(n3 reaches all\)$/],
    [
      'groups with clients',
      nemesis('partition', { groups: [['leader', 'clients'], ['others']] }),
      /^n1, clients \| n2, n3, n4, n5$/,
    ],
    [
      'a drawn majority and the rest',
      nemesis('latency', { between: ['majority', 'minority'], delay: 1 }),
      /^n\d, n\d, n\d \| n\d, n\d by 1 ms$/,
    ],
  ])('makes sides of %s', async (_, declared, target) => {
    const run = fakeRun({ nodes: ['n1', 'n2', 'n3', 'n4', 'n5'] })
    const fault = await inject({ ...declared, landWithinMs: 0 }, run.context, { id: 'F1' })
    expect(fault.window.target).toMatch(target)
    await fault.heal()
  })

  it('refuses sides that overlap, no minority, and links that are not there', async () => {
    const run = fakeRun()
    const refused = (declared: Nemesis) => inject(declared, run.context, { id: 'F1' })
    await expect(
      refused(
        nemesis('partition', {
          groups: [
            ['n1', 'n2'],
            ['n2', 'n3'],
          ],
        }),
      ),
    ).rejects.toThrow(/n2 is on two sides/)
    await expect(refused(nemesis('asymmetric-partition', { from: 'n1', to: 'leader' }))).rejects.toThrow(
      /n1 is on two sides/,
    )
    await expect(
      refused(nemesis('partition', { split: 'majority-minority', minority: ['n1', 'n2'] })),
    ).rejects.toThrow(/no minority of 3/)
    await expect(refused(nemesis('partition', { isolate: 'all' }))).rejects.toThrow(/one side has no node/)
    const bare = { ...run.context, network: new FakeNetwork([]) }
    await expect(inject(nemesis('partition', { isolate: 'n1' }), bare, { id: 'F1' })).rejects.toThrow(
      /declares none of the links n1->n2/,
    )
  })

  it('throws when the rule stays in place', async () => {
    const run = fakeRun()
    const fault = await underTraffic(run, nemesis('partition', { isolate: 'n1' }), [['n1', 'n2']], ['n1'])
    run.network.sticky = true
    await expect(fault.heal()).rejects.toThrow(/could not be undone: the rule on .* is still in place/)
    run.network.sticky = false
    await fault.heal()
  }, 15_000)
})

describe('landing', () => {
  it('waits for further signals', async () => {
    let term = 4
    const still = await inject(
      nemesis('kill', { node: 'n1', landWithin: 100, landing: [{ name: 'term', sample: async () => term }] }),
      fakeRun().context,
      { id: 'F1' },
    )
    expect(still.window.cause).toMatch(/the landing signal term stayed 4; waited \d+\.\d s$/)
    const timer = setTimeout(() => (term = 5), 50)
    const moved = await inject(
      nemesis('kill', { node: 'n1', landing: [{ name: 'term', sample: async () => term }] }),
      fakeRun().context,
      { id: 'F1' },
    )
    clearTimeout(timer)
    expect(moved.landed).toBe(true)
    expect(rows(moved.window).at(-1)).toBe('victim landing signal term: 4 -> 5')
  })

  it('is taken back when what must stand still has moved by the time of the heal', async () => {
    let revision = 131
    const declared = nemesis('kill', {
      node: 'n1',
      landing: [{ name: 'revision of n1', expect: 'still', sample: async () => revision++ && revision }],
    })
    const leaking = await inject(declared, fakeRun().context, { id: 'F1' })
    expect(leaking.landed).toBe(true)
    const { landed, cause } = await leaking.heal()
    expect(landed).toBe(false)
    expect(cause).toMatch(
      /revision of n1 .* had to stand still and went from \d+ to \d+: something got through/,
    )

    const cutOff = await inject(
      nemesis('kill', {
        node: 'n1',
        landing: [{ name: 'revision', expect: 'still', sample: async () => 7 }],
      }),
      fakeRun().context,
      { id: 'F2' },
    )
    expect((await cutOff.heal()).landed).toBe(true)
  })

  it('is taken back when what must stand still cannot be read any more', async () => {
    let down = false
    const sample = async () => (down ? Promise.reject(new Error('refused')) : 7)
    const fault = await inject(
      nemesis('kill', { node: 'n1', landing: [{ name: 'revision', expect: 'still', sample }] }),
      fakeRun().context,
      { id: 'F1' },
    )
    down = true
    expect((await fault.heal()).cause).toBe('what must stand still could not be read: refused')
  })

  it('fails when it takes longer than it may, with what to do, and is undone when it comes to its end', async () => {
    const run = fakeRun()
    const kill = run.lifecycle.kill.bind(run.lifecycle)
    run.lifecycle.kill = (node) => sleep(150).then(() => kill(node))
    const declared = nemesis('kill', { node: 'n1', changeWithin: 30 })
    const slow = inject(declared, run.context, { id: 'F1' })
    await expect(slow).rejects.toThrow(/the injection was not done within 0\.0 s.*changeWithin: '5m'/s)
    await expect.poll(() => run.lifecycle.log).toEqual(['kill n1', 'start n1'])

    const patient = await inject(nemesis('kill', { node: 'n2', changeWithin: '10s' }), run.context, {
      id: 'F2',
    })
    expect(patient.landed).toBe(true)
    await patient.heal()
  })

  it('says so when the evidence cannot be read, the run is cancelled, or the workload ends first', async () => {
    const broken = fakeRun()
    const unread = nemesis('partition', { isolate: 'n1', landWithin: 100 })
    const block = broken.network.block.bind(broken.network)
    broken.network.block = async (links, mode) => ({
      ...(await block(links, mode)),
      counters: async () => Promise.reject(new Error('no such table')),
    })
    expect((await inject(unread, broken.context, { id: 'F1' })).window.cause).toMatch(
      /evidence could not be read: no such table/,
    )

    const cancelled = fakeRun()
    const waiting = inject(nemesis('partition', { isolate: 'n1' }), cancelled.context, { id: 'F1' })
    setTimeout(() => cancelled.abort.abort(), 30)
    expect((await waiting).window.cause).toMatch(/, until the run was cancelled$/)

    const short = fakeRun()
    const landBy = short.context.clock.now() + 50e6
    const late = await inject(nemesis('partition', { isolate: 'n1' }), short.context, { id: 'F1', landBy })
    expect(late.window.cause).toMatch(/, until the workload ended$/)
  })
})
