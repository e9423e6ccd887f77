import { absentOthers } from './absent-others.js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startClock } from '../../src/history/clock.js'
import type { FaultWindow } from '../../src/nemesis/evidence.js'
import { changed, type FaultContext, type Nemesis } from '../../src/nemesis/fault.js'
import { inject } from '../../src/nemesis/inject.js'
import { nemesis } from '../../src/nemesis/nemesis.js'
import { resolveTarget } from '../../src/nemesis/resolve.js'
import type { UndoJournal } from '../../src/nemesis/undo/journal.js'
import { becomes } from '../../src/time/wait.js'
import { Random } from '../../src/random/random.js'
import type { Lifecycle, Network } from '../../src/systems/capabilities.js'
import type { RunningSystem } from '../../src/systems/system.js'
import { Traffic } from './traffic.js'

export interface Started {
  readonly system: RunningSystem
  readonly journal: UndoJournal
  /** Journal entries that are open. */
  openEntries(): number
  stop(): Promise<void>
}

/** A generous deadline: an election of nothing, but two shared cores. */
const timeoutMs = 180_000

/**
 * The same script on every kind of system: three relay servers, clients at each, and every fault of the taxonomy.
 * Each must land with numbers on both sides, be healed with evidence, and let the traffic go on as before.
 */
export function faultsLandAndHeal(start: () => Promise<Started>): void {
  let started: Started
  let traffic: Traffic
  let context: FaultContext
  beforeAll(async () => {
    started = await start()
    const clock = startClock()
    const nodes = started.system.nodes.map(({ name }) => name)
    traffic = new Traffic(started.system.nodes, clock)
    const roles = { leader: async () => ['n1'] }
    context = {
      clock,
      lifecycle: started.system.lifecycle as Lifecycle,
      network: started.system.network as Network,
      ...absentOthers('relay'),
      nodes,
      journal: started.journal,
      activity: (node, since) => traffic.activity(node, since),
      resolve: (target, apart = []) => resolveTarget(target, { nodes, roles, random: new Random(5), apart }),
      signal: new AbortController().signal,
    }
    await flowing()
  }, 180_000)
  afterAll(async () => {
    await traffic?.stop()
    await started?.stop()
  }, 120_000)

  /** Every client gets answers again. */
  async function flowing(): Promise<void> {
    const since = context.clock.now()
    const flows = () => context.nodes.every((node) => context.activity(node, since).ok >= 3)
    if (!(await becomes(flows, { withinMs: 60_000 }))) throw new Error('clients get no answers')
  }

  async function landed(declared: Nemesis): Promise<FaultWindow> {
    const before = started.openEntries()
    const fault = await inject({ ...declared, landWithinMs: 20_000 }, context, { id: 'F1' })
    try {
      expect(fault.window.cause).toBeNull()
      expect(fault.landed).toBe(true)
      for (const side of ['injector', 'victim'] as const) {
        expect(fault.window.evidence.some((item) => item.side === side && changed(item))).toBe(true)
      }
      for (const { at } of fault.window.evidence) expect(at).toBeGreaterThanOrEqual(fault.window.injected_ts)
    } finally {
      await fault.heal()
    }
    expect(fault.window.healed_ts).toBeGreaterThan(fault.window.landed_ts as number)
    expect(fault.window.cause).toBeNull()
    expect(fault.window.healed.length).toBeGreaterThan(0)
    await flowing()
    expect(started.openEntries()).toBe(before)
    return fault.window
  }

  const reading = (window: FaultWindow, subject: string, signal: RegExp) =>
    window.evidence.find((item) => item.subject === subject && signal.test(item.signal))

  /** The largest reading of a signal over all links: a fault lands with the first traffic that meets it on any. */
  const most = (window: FaultWindow, signal: RegExp) =>
    Math.max(...window.evidence.filter((item) => signal.test(item.signal)).map(({ after }) => Number(after)))

  it('kill', { timeout: timeoutMs }, async () => {
    const window = await landed(nemesis('kill', { node: 'leader' }))
    expect(reading(window, 'n1', /process state/)).toMatchObject({
      before: 'running',
      after: 'exited by SIGKILL',
    })
    expect(window.healed).toContainEqual(
      expect.objectContaining({ signal: 'process state', after: 'running' }),
    )
  })

  it('stop', { timeout: timeoutMs }, async () => {
    const window = await landed(nemesis('stop', { node: 'n2' }))
    expect(reading(window, 'n2', /process state/)).toMatchObject({
      before: 'running',
      after: 'exited with code 0',
    })
  })

  it('pause', { timeout: timeoutMs }, async () => {
    const window = await landed(nemesis('pause', { node: 'n3' }))
    expect(reading(window, 'n3', /process state/)).toMatchObject({ before: 'running', after: 'paused' })
    expect(window.healed).toMatchObject([{ before: 'paused', after: 'running' }])
  })

  it('restart', { timeout: timeoutMs }, async () => {
    const window = await landed(nemesis('restart', { node: 'n2' }))
    const times = reading(window, 'n2', /start time/)
    expect(times?.after).not.toBe(times?.before)
  })

  it.each(['drop', 'reject'] as const)('partition by %s', { timeout: timeoutMs }, async (mode) => {
    const window = await landed(nemesis('partition', { isolate: 'leader', mode }))
    const met = ['n1->n2', 'n1->n3', 'n2->n1', 'n3->n1'].map(
      (link) => reading(window, link, /traffic/)?.after,
    )
    expect(Math.max(...(met as number[]))).toBeGreaterThan(0)
    expect(window.target).toBe('n1 | n2, n3')
  })

  it('asymmetric-partition', { timeout: timeoutMs }, async () => {
    const window = await landed(nemesis('asymmetric-partition', { from: 'leader', to: 'n2' }))
    expect(reading(window, 'n1->n2', /dropped/)?.after).toBeGreaterThan(0)
    expect(reading(window, 'n2->n1', /the other way/)?.after).toBeGreaterThan(0)
  })

  it('latency', { timeout: timeoutMs }, async () => {
    const window = await landed(
      nemesis('latency', { between: ['leader', 'others'], delay: '80ms', jitter: '10ms' }),
    )
    expect(most(window, /delayed/)).toBeGreaterThan(0)
  })

  it('partition into halves, and around a bridge', { timeout: timeoutMs }, async () => {
    const halves = await landed(nemesis('partition', { split: 'halves' }))
    expect(halves.target).toMatch(/^n\d \| n\d, n\d$/)
    const bridge = await landed(nemesis('partition', { bridge: 'n3' }))
    expect(bridge.target).toMatch(/^n[12] \| n[12] \(n3 reaches all\)$/)
  })

  it('asymmetric-partition of connections', { timeout: timeoutMs }, async () => {
    const window = await landed(
      nemesis('asymmetric-partition', { from: 'n1', to: 'n2', level: 'connections' }),
    )
    expect(reading(window, 'n1->n2', /dropped/)?.after).toBeGreaterThan(0)
    expect(reading(window, 'n2->n1', /the other way/)?.after).toBeGreaterThan(0)
  })

  it('bandwidth', { timeout: timeoutMs }, async () => {
    // A packet has headers, a chunk has not: the traffic between the servers is more than either rate, also on a machine
    // that is so busy that they exchange little.
    const rate = context.network.lose === undefined ? '1kbit' : '2kbit'
    const window = await landed(nemesis('bandwidth', { between: ['leader', 'others'], rate }))
    expect(most(window, /held back/)).toBeGreaterThan(0)
  })

  it('packet-loss, where there are packets', { timeout: timeoutMs }, async () => {
    const declared = nemesis('packet-loss', { between: ['leader', 'others'], share: 0.4 })
    if (context.network.lose === undefined) {
      await expect(inject(declared, context, { id: 'F1' })).rejects.toThrow(/no packets to lose/)
      return
    }
    const window = await landed(declared)
    expect(most(window, /lost$/)).toBeGreaterThan(0)
    expect(most(window, /share of packets lost/)).toBeGreaterThan(0)
  })

  it('does not land on links that carry no traffic', { timeout: timeoutMs }, async () => {
    const silent = nemesis('partition', { groups: [['clients'], ['n1']], landWithin: '1s' })
    await traffic.stop()
    const fault = await inject(silent, context, { id: 'F1' })
    await fault.heal()
    expect(fault.window).toMatchObject({
      landed: false,
      cause: expect.stringMatching(/no traffic met the rule on clients->n1/),
    })
    traffic = new Traffic(started.system.nodes, context.clock)
    await flowing()
  })
}
