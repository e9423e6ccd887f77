import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { FaultError } from '../../../src/errors.js'
import type { LinkCounter, NetworkRule, VictimReading } from '../../../src/systems/capabilities.js'
import type { Address } from '../../../src/systems/system.js'
import { LineClient, within } from '../line-client.js'
import { startLineServers, type Started } from '../running.js'

/** Longer than any answer on loopback takes, short enough to wait for nothing. */
const silenceMs = 400
const patience = { timeout: 20_000 }

function dialNode(started: Started, index: number): LineClient {
  return dialAddress(started.nodes[index]?.address(7000) as Address)
}

function dialAddress(address: Address): LineClient {
  const client = new LineClient(address)
  onTestFinished(() => client.close())
  return client
}

async function counter(rule: NetworkRule, from: string, to: string): Promise<LinkCounter | undefined> {
  return (await rule.counters()).find(({ link }) => link.from === from && link.to === to)
}

async function met(rule: NetworkRule, from: string, to: string): Promise<number | undefined> {
  return (await counter(rule, from, to))?.met
}

function reading(victims: readonly VictimReading[], node: string, signal: RegExp): number | undefined {
  return victims.find((victim) => victim.node === node && signal.test(victim.signal))?.value
}

/** The line by which a client makes one node ask another. */
function ask(started: Started, index: number, peer: string, line: string): string {
  const address = started.launches[index]?.peers.find(({ name }) => name === peer)?.address(7000)
  return `ask ${address} ${line}`
}

describe('a dropped link', () => {
  test('holds what is sent on open connections and delivers it after the heal', async () => {
    const started = await startLineServers()
    const client = dialNode(started, 0)
    expect(await client.ask('set a 1')).toBe('ok')
    const link = { from: 'clients', to: 'n1' }
    const rule = await started.network.block([link], 'drop')
    expect(await counter(rule, 'clients', 'n1')).toEqual({ link, met: 0, passed: 0 })

    const answers = Promise.all([client.ask('set a 2'), client.ask('get a')])
    await expect.poll(() => met(rule, 'clients', 'n1')).toBeGreaterThan(0)
    expect(await within(answers, silenceMs)).toBe('late')
    expect((await counter(rule, 'clients', 'n1'))?.passed).toBe(0)
    expect(reading(await rule.victims(), 'clients', /without an answer/)).toBe(1)
    expect(reading(await rule.victims(), 'n1', /from clients not received/)).toBeGreaterThan(0)

    expect(await rule.present()).toBe(true)
    await rule.remove()
    await rule.remove()
    expect(await rule.present()).toBe(false)
    expect(await answers).toEqual(['ok', '2'])
    const after = await rule.counters()
    await client.ask('ping')
    expect(await rule.counters()).toEqual(after)
  })

  test('accepts new connections that reach nobody until the heal', async () => {
    const started = await startLineServers()
    const rule = await started.network.block([{ from: 'clients', to: 'n1' }], 'drop')
    const patient = dialNode(started, 0)
    const answer = patient.ask('ping')
    const hasty = dialNode(started, 0)
    const gone = hasty.ask('set never 1').catch(() => 'gone')
    await expect.poll(() => met(rule, 'clients', 'n1')).toBe(4)
    expect(await within(answer, silenceMs)).toBe('late')
    expect(await met(rule, 'clients', 'n1')).toBe(4)
    hasty.close()
    expect(await gone).toBe('gone')
    await expect.poll(async () => reading(await rule.victims(), 'clients', /given up/)).toBe(1)
    expect(reading(await rule.victims(), 'clients', /in vain/)).toBe(2)
    await rule.remove()
    expect(await answer).toBe('pong n1')
    // The request of the client that gave up must not be carried out later.
    expect(await patient.ask('get never')).toBe('none')
  })

  test('cuts nodes off from each other while clients reach both', async () => {
    const started = await startLineServers({ count: 2 })
    const one = dialNode(started, 0)
    expect(await one.ask(ask(started, 0, 'n2', 'ping'))).toBe('pong n2')
    const links = [
      { from: 'n1', to: 'n2' },
      { from: 'n2', to: 'n1' },
    ]
    const rule = await started.network.block(links, 'drop')
    const cut = one.ask(ask(started, 0, 'n2', 'ping'))
    await expect.poll(() => met(rule, 'n1', 'n2')).toBe(1)
    expect(await within(cut, silenceMs)).toBe('late')
    const other = dialNode(started, 0)
    expect(await other.ask('ping')).toBe('pong n1')
    expect(await dialNode(started, 1).ask('ping')).toBe('pong n2')

    expect(await met(rule, 'n1', 'n2')).toBe(1)
    expect(await counter(rule, 'n2', 'n1')).toEqual({ link: links[1], met: 0, passed: 0 })
    expect(reading(await rule.victims(), 'n1', /to n2 without an answer/)).toBe(1)
    await other.ask(`hangup ${started.launches[0]?.peers[0]?.address(7000)}`)
    expect(await cut).toBe('broken')
    await expect.poll(async () => reading(await rule.victims(), 'n1', /given up/)).toBe(1)
    await rule.remove()
    expect(await one.ask(ask(started, 0, 'n2', 'ping'))).toBe('pong n2')
  })

  test('in one direction lets requests the other way arrive and holds only their answers', async () => {
    const started = await startLineServers({ count: 2 })
    const [one, two] = [dialNode(started, 0), dialNode(started, 1)]
    expect(await one.ask(ask(started, 0, 'n2', 'set x 0'))).toBe('ok')
    expect(await two.ask(ask(started, 1, 'n1', 'set y 0'))).toBe('ok')
    const rule = await started.network.block([{ from: 'n1', to: 'n2' }], 'drop')

    const fromOne = one.ask(ask(started, 0, 'n2', 'set x 1'))
    const fromTwo = two.ask(ask(started, 1, 'n1', 'set y 1'))
    await expect.poll(() => met(rule, 'n1', 'n2')).toBe(2)
    expect(await within(Promise.race([fromOne, fromTwo]), silenceMs)).toBe('late')
    expect(await dialNode(started, 1).ask('get x')).toBe('0')
    expect(await dialNode(started, 0).ask('get y')).toBe('1')

    expect(await counter(rule, 'n1', 'n2')).toMatchObject({ met: 2, passed: 0 })
    expect(await counter(rule, 'n2', 'n1')).toMatchObject({ met: 0, passed: 1 })
    await rule.remove()
    expect(await Promise.all([fromOne, fromTwo])).toEqual(['ok', 'ok'])
    expect(await dialNode(started, 1).ask('get x')).toBe('1')
  })
})

describe('connections under a cut', () => {
  test.each(['drop', 'reject'] as const)(
    'that exist already go on when they are left, new ones meet the %s',
    async (mode) => {
      const started = await startLineServers()
      const old = dialNode(started, 0)
      expect(await old.ask('ping')).toBe('pong n1')
      const link = { from: 'clients', to: 'n1' }
      const rule = await started.network.block([link], mode, { established: 'left' })
      expect(await old.ask('set a 1')).toBe('ok')
      const fresh = dialNode(started, 0).ask('ping')
      if (mode === 'reject') await expect(fresh).rejects.toMatchObject({ code: 'ECONNRESET' })
      await expect.poll(() => met(rule, 'clients', 'n1')).toBe(mode === 'drop' ? 2 : 1)
      if (mode === 'drop') expect(await within(fresh, silenceMs)).toBe('late')
      expect(await old.ask('get a')).toBe('1')
      expect(await met(rule, 'clients', 'n1')).toBe(mode === 'drop' ? 2 : 1)
      expect((await counter(rule, 'clients', 'n1'))?.passed).toBe(2)
      await rule.remove()
      if (mode === 'drop') expect(await fresh).toBe('pong n1')
    },
  )

  test('are told apart by who opened them', async () => {
    const started = await startLineServers({ count: 2 })
    const [one, two] = [dialNode(started, 0), dialNode(started, 1)]
    expect(await two.ask(ask(started, 1, 'n1', 'set y 0'))).toBe('ok')
    const rule = await started.network.block([{ from: 'n1', to: 'n2' }], 'drop', { level: 'connections' })
    // Requests of n2 arrive at n1, and the answers of n1 come back.
    expect(await two.ask(ask(started, 1, 'n1', 'set y 1'))).toBe('ok')
    const call = one.ask(ask(started, 0, 'n2', 'ping'))
    await expect.poll(() => met(rule, 'n1', 'n2')).toBeGreaterThan(0)
    expect(await within(call, silenceMs)).toBe('late')
    expect((await counter(rule, 'n2', 'n1'))?.passed).toBe(1)
    expect(reading(await rule.victims(), 'n1', /to n2 in vain/)).toBe(1)
    expect(reading(await rule.victims(), 'n2', /to n1 in vain/)).toBeUndefined()
    await rule.remove()
    expect(await call).toBe('pong n2')
  })
})

describe('a limited link', () => {
  test('lets no more through than its rate, and counts what it held back', async () => {
    const started = await startLineServers()
    const client = dialNode(started, 0)
    expect(await client.ask('set a 1')).toBe('ok')
    const link = { from: 'clients', to: 'n1' }
    const rule = await started.network.limit?.([link], 800_000)
    if (rule === undefined) throw new Error('the proxy offers no limit')
    // Little goes through as ever.
    expect(await client.ask('get a')).toBe('1')
    expect(await counter(rule, 'clients', 'n1')).toEqual({ link, met: 0, passed: 1, metBytes: 0 })
    const began = performance.now()
    const answer = client.ask(`set a ${'x'.repeat(60_000)}`)
    const behind = dialNode(started, 0).ask('ping')
    expect(await answer).toBe('ok')
    // 60 kB at 100 kB a second, less a burst.
    expect(performance.now() - began).toBeGreaterThan(500)
    expect(await behind).toBe('pong n1')
    const counted = await counter(rule, 'clients', 'n1')
    expect(counted?.met).toBeGreaterThan(10)
    expect(counted?.metBytes).toBeGreaterThan(50_000)
    expect(counted?.metBytes).toBeLessThanOrEqual(60_100)
    expect(reading(await rule.victims(), 'n1', /from being sent/)).toBeGreaterThan(20)
    await rule.remove()
    // 3 MB would take half a minute at that rate.
    const free = performance.now()
    expect(await client.ask(`set a ${'x'.repeat(3_000_000)}`)).toBe('ok')
    expect(performance.now() - free).toBeLessThan(20_000)
  })

  test('refuses a rate that is none, and offers no loss of packets', async () => {
    const started = await startLineServers()
    await expect(started.network.limit?.([{ from: 'clients', to: 'n1' }], 0)).rejects.toThrow(/above 0/)
    expect(started.network.lose).toBeUndefined()
  })
})

describe('a rejected link', () => {
  test('resets open connections and refuses new ones until the heal', async () => {
    const started = await startLineServers()
    const client = dialNode(started, 0)
    await client.ask('ping')
    const reset = new Promise<NodeJS.ErrnoException>((resolve) => client.socket.once('error', resolve))
    const rule = await started.network.block([{ from: 'clients', to: 'n1' }], 'reject')
    expect((await reset).code).toBe('ECONNRESET')
    expect((await counter(rule, 'clients', 'n1'))?.met).toBe(0)

    await expect(dialNode(started, 0).ask('ping')).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect((await counter(rule, 'clients', 'n1'))?.met).toBe(1)
    expect(reading(await rule.victims(), 'clients', /in vain/)).toBe(1)
    await rule.remove()
    expect(await dialNode(started, 0).ask('ping')).toBe('pong n1')
  })

  test('in one direction breaks connections the other way at their first answer', async () => {
    const started = await startLineServers()
    const rule = await started.network.block([{ from: 'n1', to: 'clients' }], 'reject')
    const client = dialNode(started, 0)
    await expect(client.ask('set x 1')).rejects.toMatchObject({ code: 'ECONNRESET' })
    expect(await counter(rule, 'n1', 'clients')).toMatchObject({ met: 1, passed: 0 })
    await rule.remove()
    expect(await dialNode(started, 0).ask('get x')).toBe('1')
  })
})

describe('a delayed link', () => {
  test('adds its delay to each round trip, both ways when both links have it', async () => {
    const started = await startLineServers()
    const client = dialNode(started, 0)
    for (let round = 0; round < 10; round++) await client.ask('ping')
    const there = { from: 'clients', to: 'n1' }
    const back = { from: 'n1', to: 'clients' }
    const rule = await started.network.delay([there], 300, 0)
    const atFirst = reading(await rule.victims(), 'clients', /added round trip/)
    expect(atFirst).toBe(0)
    const oneWay = await roundTripMs(client, 5)
    expect(oneWay).toBeGreaterThanOrEqual(300)
    expect(oneWay).toBeLessThan(3_000)
    const second = await started.network.delay([back], 200, 10)
    const bothWays = await roundTripMs(client, 5)
    expect(bothWays).toBeGreaterThanOrEqual(490)

    const added = reading(await rule.victims(), 'clients', /added round trip/)
    // The usual round trip is taken off, which is longer on a busy machine.
    expect(added).toBeGreaterThanOrEqual(200)
    expect(added).toBeLessThan(3_000)
    expect(reading(await rule.victims(), 'n1', /from being sent by clients/)).toBeGreaterThanOrEqual(300)
    expect(await counter(rule, 'clients', 'n1')).toEqual({ link: there, met: 10, passed: 0 })
    await Promise.all([rule.remove(), second.remove()])
    await client.ask('ping')
    expect(await roundTripMs(client, 5)).toBeLessThan(300)
  })

  test('of less than nothing is refused', async () => {
    const started = await startLineServers()
    await expect(started.network.delay([{ from: 'clients', to: 'n1' }], -1, 0)).rejects.toThrow(FaultError)
  })
})

test('two rules on one link both apply, and each counts for itself', async () => {
  const started = await startLineServers()
  const client = dialNode(started, 0)
  await client.ask('ping')
  const link = { from: 'clients', to: 'n1' }
  const first = await started.network.block([link], 'drop')
  const answer = client.ask('ping')
  await expect.poll(() => met(first, 'clients', 'n1')).toBe(1)
  const second = await started.network.block([link], 'drop')
  // What already waits meets the second rule as well.
  expect((await counter(second, 'clients', 'n1'))?.met).toBe(1)
  await first.remove()
  expect(await within(answer, silenceMs)).toBe('late')
  await second.remove()
  expect(await answer).toBe('pong n1')
})

test('links that do not exist, and no links, are refused by name', async () => {
  const { network } = await startLineServers({ count: 2, proxy: { peers: false } })
  await expect(network.block([{ from: 'n1', to: 'n2' }], 'drop')).rejects.toThrow(
    /no link n1->n2[^]*clients->n1, n1->clients/,
  )
  await expect(network.block([], 'drop')).rejects.toThrow(FaultError)
})

test('a node that has ended looks ended through the proxy, and comes back behind the same address', async () => {
  const started = await startLineServers()
  const client = dialNode(started, 0)
  await client.ask('ping')
  const closed = new Promise((resolve) => client.socket.once('close', resolve))
  await started.lifecycle.kill('n1')
  await closed
  await vi.waitFor(
    () =>
      expect(dialNode(started, 0).ask('ping')).rejects.toMatchObject({
        code: 'ECONNREFUSED',
        syscall: 'connect',
      }),
    patience,
  )
  await started.lifecycle.start('n1')
  expect(await dialNode(started, 0).ask('ping')).toBe('pong n1')
})

test('attempts to reach a node that has ended still meet a rule on the link', async () => {
  const started = await startLineServers()
  await started.lifecycle.kill('n1')
  await vi.waitFor(
    () => expect(dialNode(started, 0).ask('ping')).rejects.toMatchObject({ code: 'ECONNREFUSED' }),
    patience,
  )
  const rule = await started.network.block([{ from: 'clients', to: 'n1' }], 'drop')
  await vi.waitFor(async () => {
    void dialNode(started, 0)
      .ask('ping')
      .catch(() => null)
    expect(await met(rule, 'clients', 'n1')).toBeGreaterThan(0)
  }, patience)
  await started.lifecycle.start('n1')
  const answer = dialNode(started, 0).ask('ping')
  expect(await within(answer, silenceMs)).toBe('late')
  await rule.remove()
  expect(await answer).toBe('pong n1')
})

/** Mean of some round trips one after the other, in milliseconds. */
async function roundTripMs(client: LineClient, rounds: number): Promise<number> {
  const start = performance.now()
  for (let round = 0; round < rounds; round++) await client.ask('ping')
  return (performance.now() - start) / rounds
}
