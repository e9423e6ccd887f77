import { describe, expect, it } from 'vitest'
import { EnvironmentError } from '../../../src/errors.js'
import { Hooks } from '../../../src/nemesis/faults/cluster/hooks.js'
import { roll } from '../../../src/nemesis/faults/cluster/roll.js'
import { inject } from '../../../src/nemesis/inject.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { absent } from '../../../src/systems/absent.js'
import type { Network } from '../../../src/systems/capabilities.js'
import { fakeRun, quiet } from '../fakes.js'
import { FakeCluster, rows } from './fake-cluster.js'

describe('rolling-restart', () => {
  it('takes the leader of the moment each time', async () => {
    let leader = 'n2'
    const run = fakeRun({ roles: { leader: async () => [leader] } })
    const start = run.lifecycle.start.bind(run.lifecycle)
    run.lifecycle.start = async (node) => {
      await start(node)
      // Leadership goes to the node after the restarted one.
      leader = `n${(Number(node.slice(1)) % 3) + 1}`
    }
    const fault = await inject(nemesis('rolling-restart', { order: 'leader-first' }), run.context, {
      id: 'F1',
    })
    expect(fault.window).toMatchObject({ landed: true, cause: null })
    expect(run.lifecycle.log).toEqual(['stop n2', 'start n2', 'stop n3', 'start n3', 'stop n1', 'start n1'])
    expect(rows(fault.window.evidence)).toEqual(
      expect.arrayContaining([
        'injector n2 turn in which it was restarted: null -> 1 of 3, the leader then',
        'injector n1 turn in which it was restarted: null -> 3 of 3, the leader then',
        'victim n3 connect to its port while it was down: answers -> refused',
        'injector n1 start time: start 1 -> start 6',
      ]),
    )
    await fault.heal()
  })

  it('takes followers first and the nodes of a list', async () => {
    const followers = fakeRun()
    await inject(nemesis('rolling-restart', { order: 'followers-first' }), followers.context, { id: 'F1' })
    expect(followers.lifecycle.log.filter((line) => line.startsWith('stop'))).toEqual([
      'stop n2',
      'stop n3',
      'stop n1',
    ])
    const listed = fakeRun()
    const fault = await inject(nemesis('rolling-restart', { order: ['n3', 'leader'] }), listed.context, {
      id: 'F1',
    })
    expect(fault.window).toMatchObject({ landed: true, target: 'n3, n1' })
    expect(listed.lifecycle.log).toEqual(['stop n3', 'start n3', 'stop n1', 'start n1'])
  })

  it('stops at a node that does not get well', async () => {
    const run = fakeRun()
    const hooks = new Hooks(run.context, { fault: 'rolling-restart', hookTimeout: '1s' })
    const visited: string[] = []
    const rolled = await roll(
      run.context,
      {
        order: ['n1', 'n2', 'n3'],
        wait: ({ node }) => {
          if (node.name === 'n2') throw new Error('connection refused')
          return true
        },
        waitWithin: 120,
      },
      {
        nodes: ['n1', 'n2', 'n3'],
        hooks,
        verb: 'restarted',
        visit: async (node) => {
          visited.push(node)
          return []
        },
      },
    )
    expect(visited).toEqual(['n1', 'n2'])
    expect(rolled.stopped).toMatch(
      /^n2 was not well within 0\.1 s of its turn \(.*connection refused\): the roll stopped after 2 of 3 nodes \(waitWithin gives them longer\)$/,
    )
    expect(rows(rolled.evidence)[1]).toMatch(/^injector n1 well again after \(ms\): null -> \d+$/)
  })

  it('gives a node as long as it is told to get well', async () => {
    const run = fakeRun()
    let asked = 0
    const declared = nemesis('rolling-restart', {
      order: ['n1', 'n2', 'n3'],
      wait: () => (asked++, 'not yet'),
      waitWithin: '100ms',
    })
    const fault = await inject(declared, run.context, { id: 'F1' })
    expect(fault.window.cause).toMatch(/^n1 was not well within 0\.1 s of its turn.*waitWithin/)
    expect(asked).toBeGreaterThan(0)
    expect(run.lifecycle.log).toEqual(['stop n1', 'start n1'])
  })

  it('says what came when a node can neither be restarted nor started again', async () => {
    const run = fakeRun()
    run.lifecycle.stop = async () => {
      throw new Error('n2 cannot be stopped')
    }
    run.lifecycle.state = async () => {
      if (declaredAt === null) return (declaredAt = await fakeRun().lifecycle.state('n2'))
      throw new Error('the engine is gone')
    }
    let declaredAt: Awaited<ReturnType<typeof run.lifecycle.state>> | null = null
    const failed = inject(nemesis('rolling-restart', { order: ['n2'] }), run.context, { id: 'F1' })
    await expect(failed).rejects.toThrow(/n2 cannot be stopped; and then: the engine is gone/)
  })

  it('starts all again when a node does not come up, and says so', async () => {
    const run = fakeRun()
    run.lifecycle.start = async (node) => {
      run.lifecycle.log.push(`start ${node}`)
      throw new Error(`${node} cannot start`)
    }
    const failed = inject(nemesis('rolling-restart', { order: ['n2'] }), run.context, { id: 'F1' })
    await expect(failed).rejects.toThrow(/n2 cannot start/)
    expect(run.lifecycle.log).toEqual(['stop n2', 'start n2', 'start n2'])
  })

  it('wants an order and a leader where the order needs one', async () => {
    expect(() => nemesis('rolling-restart', { order: 'backwards' } as never)).toThrow(/leader-first/)
    const none = fakeRun({ roles: {} })
    const failed = inject(nemesis('rolling-restart', { order: 'leader-first' }), none.context, { id: 'F1' })
    await expect(failed).rejects.toThrow(/'leader' is neither a node nor a role/)
    expect(none.lifecycle.log).toEqual([])
  })
})

describe('split-brain', () => {
  /** Traffic on all links of n1 while the rule is there; n2 is elected then, and n1 steps down or does not. */
  async function attempt(options: { elects: boolean; stepsDown: boolean; landWithin?: number }) {
    const run = fakeRun()
    run.network.meanwhile = () => {
      for (const other of ['n2', 'n3']) {
        run.network.send('n1', other)
        run.network.send(other, 'n1')
      }
      run.network.suffering.set('n1', (run.network.suffering.get('n1') ?? 0) + 1)
    }
    const declared = nemesis('split-brain', {
      leaders: ({ nodes }) => {
        const cut = run.network.rules.length > 0
        return nodes.filter(({ name }) =>
          name === 'n1' ? !(cut && options.stepsDown) : name === 'n2' && cut && options.elects,
        )
      },
      landWithin: options.landWithin ?? 5_000,
    })
    const fault = await inject(declared, run.context, { id: 'F1' })
    const landed = [...fault.window.evidence]
    await fault.heal()
    return { fault, landed: rows(landed), run }
  }

  it('says how many led at one time', async () => {
    const split = await attempt({ elects: true, stepsDown: false })
    expect(split.fault.window).toMatchObject({ landed: true, target: 'n1 | n2, n3' })
    expect(split.landed).toContain('victim n1, n2, n3 leaders at one time: 1 -> 2')
    expect(rows(split.fault.window.healed)).toContain(
      'victim n1, n2, n3 nodes that call themselves leader: n1, n2 -> n1',
    )
    expect(split.run.network.rules).toEqual([])
    const held = await attempt({ elects: true, stepsDown: true })
    expect(held.fault.landed).toBe(true)
    expect(held.landed).toContain('victim n1, n2, n3 leaders at one time: 1 -> 1')
    expect(held.landed).toContain('victim n1, n2, n3 nodes that call themselves leader: n1 -> n2')
  })

  it('does not land while nobody on the other side leads', async () => {
    const { fault } = await attempt({ elects: false, stepsDown: true, landWithin: 400 })
    expect(fault.window.cause).toMatch(/^none of n2, n3 became leader; waited/)
  })

  it('cuts clients off with the old leader', async () => {
    const run = fakeRun()
    const declared = nemesis('split-brain', { with: 'clients', leaders: () => ['n1'], landWithin: 50 })
    const fault = await inject(declared, run.context, { id: 'F1' })
    expect(fault.window.target).toBe('n1, clients | n2, n3')
    expect(run.network.log[0]).toMatch(/^put drop .*clients->n2/)
    expect(run.network.log[0]).not.toMatch(/clients->n1/)
    await fault.heal()
  })

  it('refuses a leader that is not the one to be cut off', async () => {
    const run = fakeRun()
    const declared = nemesis('split-brain', { leaders: () => ['n1', 'n3'] })
    await expect(inject(declared, run.context, { id: 'F1' })).rejects.toThrow(
      /leaders\(\) names n1, n3 before the fault, and n1 is to be cut off/,
    )
    const strange = nemesis('split-brain', { leaders: () => ['n9'] })
    await expect(inject(strange, run.context, { id: 'F1' })).rejects.toThrow(/leaders\(\) answered \["n9"\]/)
    expect(run.network.log).toEqual([])
  })
})

describe('slow-follower', () => {
  const short = { node: 'n3', paused: '10ms', running: '5ms' } as const

  it('pauses again and again, and needs a lag or clients that wait', async () => {
    const run = fakeRun()
    let lag = 0
    const pause = run.lifecycle.pause.bind(run.lifecycle)
    run.lifecycle.pause = async (node) => {
      lag += 5
      await pause(node)
    }
    const fault = await inject(nemesis('slow-follower', { ...short, lag: () => lag }), run.context, {
      id: 'F1',
    })
    expect(fault.window).toMatchObject({ landed: true, target: 'n3' })
    expect(fault.window.evidence.find(({ signal }) => signal.startsWith('lag'))?.after).toBeGreaterThan(0)
    await fault.heal()
    expect((await run.lifecycle.state('n3')).status).toBe('running')
    const paused = run.lifecycle.log.length
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(run.lifecycle.log).toHaveLength(paused)
  })

  it('does not land when the node keeps up', async () => {
    const run = fakeRun()
    const declared = nemesis('slow-follower', { ...short, lag: () => 3, landWithin: 300 })
    const fault = await inject(declared, run.context, { id: 'F1' })
    expect(fault.window.cause).toMatch(/^n3 is not further behind than before: lag 3, at most 3 before/)
    await fault.heal()
    const idle = await inject(nemesis('slow-follower', { ...short, landWithin: 300 }), run.context, {
      id: 'F2',
    })
    expect(idle.window.cause).toMatch(/^nothing changed on any victim/)
    await idle.heal()
  })

  it('does not take noise for lag', async () => {
    const run = fakeRun()
    let reading = 0
    // The largest reading of all comes after the fault, as it is bound to when one goes on reading.
    const lag = () => {
      if (reading === 40) run.abort.abort()
      return reading++ === 25 ? 50 : reading % 5
    }
    const declared = nemesis('slow-follower', { ...short, lag, landWithin: '50s' })
    const fault = await inject(declared, run.context, { id: 'F1' })
    await fault.heal()
    expect(reading).toBeGreaterThan(40)
    expect(fault.landed).toBe(false)
  })

  it('is lost when the node ends meanwhile', async () => {
    const run = fakeRun()
    run.activity.set('n3', { ...quiet, oldestWaitMs: 400 })
    const fault = await inject(nemesis('slow-follower', short), run.context, { id: 'F1' })
    expect(fault.landed).toBe(true)
    const state = run.lifecycle.state.bind(run.lifecycle)
    const noticed = new Promise((resolve) => {
      run.lifecycle.state = async (node) => {
        const seen = await state(node)
        if (seen.status === 'exited') setImmediate(resolve)
        return seen
      }
      run.lifecycle.pause = () => {
        setImmediate(resolve)
        return Promise.reject(new Error('n3 has ended'))
      }
    })
    run.lifecycle.resume = async () => {}
    await run.lifecycle.kill('n3')
    await noticed
    await fault.heal()
    expect(fault.window).toMatchObject({
      landed: false,
      cause: expect.stringMatching(/not in place any more.*n3 has ended/),
    })
  })

  it('delays the links to the other nodes', async () => {
    const run = fakeRun()
    run.network.meanwhile = () => {
      run.network.send('n1', 'n3')
      run.network.suffering.set('n3', (run.network.suffering.get('n3') ?? 0) + 1)
    }
    const fault = await inject(
      nemesis('slow-follower', { node: 'n3', by: 'latency', delay: '70ms' }),
      run.context,
      { id: 'F1' },
    )
    expect(fault.landed).toBe(true)
    expect(run.network.log).toContain('delay 70 0')
    await fault.heal()
    expect(run.network.rules).toEqual([])
    expect(() => nemesis('slow-follower', { node: 'n3', delay: '70ms' })).toThrow(/goes with by: 'latency'/)
  })
})

it('slow-follower by latency says what is missing where there is no network', async () => {
  const run = fakeRun()
  const context = { ...run.context, network: absent<Network>('network', 'processes', { links: [] }) }
  const declared = nemesis('slow-follower', { node: 'n3', by: 'latency' })
  await expect(inject(declared, context, { id: 'F1' })).rejects.toBeInstanceOf(EnvironmentError)
})

describe('credential-divergence', () => {
  const declare = (cluster: FakeCluster, more: object = {}) =>
    nemesis('credential-divergence', {
      node: 'n1',
      rotate: () => 'the new secret',
      restore: () => 'the old secret',
      link: cluster.read,
      landWithin: 100,
      ...more,
    })

  it('lands when a link is down, tells no secret, and waits until links are up', async () => {
    const cluster = new FakeCluster('up')
    const fault = await cluster.inject(
      declare(cluster, {
        reconnect: () => void cluster.says.set('n2', 'down'),
        restore: () => void setTimeout(() => cluster.says.set('n2', 'up'), 100),
      }),
    )
    expect(fault.landed).toBe(true)
    expect(rows(fault.window.evidence)).toContain('victim n2 link: up -> down')
    expect(JSON.stringify(fault.window)).not.toContain('secret')
    expect(rows((await fault.heal()).healed)).toContain('victim n2 link: up -> up')
  })

  it('does not land when open links stay open', async () => {
    const cluster = new FakeCluster('up')
    const fault = await cluster.inject(declare(cluster))
    expect(fault.window.cause).toMatch(/^no login was refused: link of n1 stayed up.*give the hook reconnect/)
    await fault.heal()
  })

  it('is lost when logins work again before its end', async () => {
    const cluster = new FakeCluster('up')
    const fault = await cluster.inject(
      declare(cluster, { reconnect: () => void cluster.says.set('n2', 'down') }),
    )
    expect(fault.landed).toBe(true)
    cluster.says.set('n2', 'up')
    await fault.heal()
    expect(fault.window).toMatchObject({
      landed: false,
      cause: expect.stringMatching(/not in place any more.*says of its logins what it said before/),
    })
  })

  it('waits until refusals stop being counted', async () => {
    const cluster = new FakeCluster(0)
    const count = () => cluster.says.set('n1', (cluster.says.get('n1') as number) + 1)
    let timer: NodeJS.Timeout | undefined
    let counting = false
    const fault = await cluster.inject(
      declare(cluster, {
        rotate() {
          counting = true
          timer = setInterval(count, 20)
        },
        // Longer than a count has to stand still.
        restore: () =>
          void setTimeout(() => {
            counting = false
            clearInterval(timer)
          }, 800),
      }),
    )
    expect(fault.landed).toBe(true)
    await fault.heal()
    expect(counting).toBe(false)
  })
})

describe('compaction', () => {
  it('lands when the node has made progress', async () => {
    const cluster = new FakeCluster(10)
    const fault = await cluster.inject(
      nemesis('compaction', { node: 'n2', trigger: cluster.set(500), progress: cluster.read }),
    )
    expect(fault.landed).toBe(true)
    expect(rows(fault.window.evidence)[1]).toBe('victim n2 progress: 10 -> 500')
    await fault.heal()
    const still = await cluster.inject(
      nemesis('compaction', { node: 'n2', trigger: () => 'ok', progress: cluster.read, landWithin: 100 }),
    )
    expect(still.window.cause).toMatch(/^the progress of n2 stayed 500/)
    expect(() =>
      nemesis('compaction', { node: 'n2', trigger: () => 1, progress: () => 1, for: '1s' }),
    ).toThrow(/`for` has no meaning/)
  })
})

describe('reconfiguration', () => {
  function membership(first: string[]) {
    const members = new Set(first)
    const log: string[] = []
    return {
      members,
      log,
      hooks: {
        add: ({ node }: { node: { name: string } }) => {
          log.push(`add ${node.name}`)
          members.add(node.name)
        },
        remove: ({ node }: { node: { name: string } }) => {
          log.push(`remove ${node.name}`)
          members.delete(node.name)
        },
        members: () => [...members],
      },
    }
  }

  it.each([
    ['remove', ['n1', 'n2', 'n3'], '3: n1, n2, n3 -> 2: n1, n2', ['remove n3', 'add n3']],
    ['add', ['n1', 'n2'], '2: n1, n2 -> 3: n1, n2, n3', ['add n3', 'remove n3']],
    ['replace', ['n1', 'n2', 'n3'], '3: n1, n2, n3 -> 2: n1, n2', ['remove n3', 'add n3']],
  ] as const)('%s shows the lists and is undone', async (change, first, shown, calls) => {
    const { members, log, hooks } = membership([...first])
    const cluster = new FakeCluster('')
    const fault = await cluster.inject(nemesis('reconfiguration', { change, node: 'n3', ...hooks }))
    expect(fault.window).toMatchObject({ landed: true, target: `${change} n3` })
    expect(rows(fault.window.evidence).some((row) => row.endsWith(shown))).toBe(true)
    await fault.heal()
    await fault.heal()
    expect([...members].toSorted()).toEqual(first)
    expect(log).toEqual(calls)
  })

  it('does not land when the list stays as it was', async () => {
    const { hooks } = membership(['n1', 'n2', 'n3'])
    const cluster = new FakeCluster('')
    const fault = await cluster.inject(
      nemesis('reconfiguration', {
        change: 'remove',
        node: 'n3',
        ...hooks,
        remove: () => 'ok',
        landWithin: 100,
      }),
    )
    expect(fault.window.cause).toMatch(/members\(\) lists 3 members instead of 2; before there were 3/)
    await fault.heal()
  })

  it('does not land when another member has gone, or has come', async () => {
    const cluster = new FakeCluster('')
    const { hooks, members } = membership(['n1', 'n2', 'n3'])
    const remove = () => ['n2', 'n3'].forEach((name) => members.delete(name)) ?? members.add('n9')
    const gone = { change: 'remove', node: 'n3', ...hooks, remove, landWithin: 100 } as const
    const fault = await cluster.inject(nemesis('reconfiguration', gone))
    expect(fault.window.cause).toMatch(/members\(\) lists a new n9: the number is right/)
    members.delete('n9')
    members.add('n2')
    await fault.heal()
  })

  it('is lost when the membership is as before while it should be in place', async () => {
    const { hooks, members } = membership(['n1', 'n2', 'n3'])
    const cluster = new FakeCluster('')
    const fault = await cluster.inject(nemesis('reconfiguration', { change: 'remove', node: 'n3', ...hooks }))
    expect(fault.landed).toBe(true)
    members.add('n3')
    await fault.heal()
    expect(fault.window).toMatchObject({
      landed: false,
      cause: expect.stringContaining('members() lists 3 members instead of 2'),
    })
  })

  it('puts the member back in when a replacement stops half-way', async () => {
    const { members, hooks } = membership(['n1', 'n2', 'n3'])
    const cluster = new FakeCluster('')
    let adds = 0
    const failed = cluster.inject(
      nemesis('reconfiguration', {
        change: 'replace',
        node: 'n3',
        ...hooks,
        add: (given) => {
          if (adds++ === 0) throw new Error('unhealthy cluster')
          hooks.add(given)
        },
      }),
    )
    await expect(failed).rejects.toThrow(/reconfiguration: add\(\) on n3: unhealthy cluster/)
    expect([...members]).toEqual(['n1', 'n2', 'n3'])
  })
})
