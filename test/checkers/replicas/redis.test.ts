import { expect, it, vi } from 'vitest'
import { reconciliation, replayEquivalence } from '../../../src/checkers/index.js'
import type { Checker, CheckResult } from '../../../src/checkers/index.js'
import { requires } from '../../support/requirements.js'
import { startRedis, type RedisServer } from '../../support/redis.js'

async function atQuiescence<Client>(
  checker: Checker<Client>,
  clients: readonly Client[],
): Promise<CheckResult> {
  const collected = await checker.collect!({
    nodes: clients.map((_, index) => ({ name: `n${index + 1}` })),
    clients,
    keys: [],
    operations: [],
    signal: new AbortController().signal,
  })
  return checker.check({ operations: [], model: null, collected, timeoutMs: 10_000 })
}

requires('redis')('redis-server', () => {
  it(
    'replicas reconcile, until one of them is told to follow nobody and written to',
    { timeout: 60_000 },
    async () => {
      const primary = await startRedis()
      const replica = await startRedis(['--replicaof', '127.0.0.1', String(primary.port)])
      const both = reconciliation<RedisServer>({ dump: ({ client }) => client.dump() })
      await primary.client.set('a', '1')
      await vi.waitUntil(async () => (await replica.client.get('a')) === '1', { timeout: 20_000 })
      expect(await atQuiescence(both, [primary, replica])).toMatchObject({
        valid: true,
        evidence: { replicas: 2 },
      })

      await replica.client.replicaof('NO', 'ONE')
      await replica.client.set('a', '2')
      const apart = await atQuiescence(both, [primary, replica])
      expect(apart.valid).toBe(false)
      expect(apart.anomalies[0]?.explanation).toBe(
        'At quiescence n1 and n2 differ: a is "1" on n1 and "2" on n2.',
      )
    },
  )

  it(
    'its append-only file replays to its state, until it is switched off under way',
    { timeout: 60_000 },
    async () => {
      const live = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always'])
      const replayed = replayEquivalence<RedisServer>({
        live: ({ clients: [server] }) => server!.dump(),
        replayed: async ({ clients: [server] }) =>
          (await startRedis(['--appendonly', 'yes'], server!.directory)).dump(),
        from: 'log',
      })
      await live.client.set('a', '1')
      expect(await atQuiescence(replayed, [live])).toMatchObject({ valid: true })

      await live.client.config('SET', 'appendonly', 'no')
      await live.client.set('a', '2')
      expect(await atQuiescence(replayed, [live])).toMatchObject({
        valid: false,
        anomalies: [{ type: 'replay-differs', explanation: expect.stringContaining('a is "2" live') }],
      })
    },
  )
})
