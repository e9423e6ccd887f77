import { expect, it } from 'vitest'
import { changed } from '../../../src/nemesis/fault.js'
import { inject } from '../../../src/nemesis/inject.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { processes } from '../../../src/systems/process/processes.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { requires, type Requirement } from '../../support/requirements.js'
import { redisProvider, startRedisSystem, type RedisSystem } from './redis-system.js'

const disks = [
  { disk: 'fuse', needs: ['fuse'] },
  { disk: 'loop', needs: ['ext4'] },
] as const satisfies readonly { disk: 'fuse' | 'loop'; needs: readonly Requirement[] }[]
const kinds = [
  { kind: 'processes', needs: [] },
  { kind: 'docker', needs: ['docker'] },
] as const satisfies readonly { kind: 'processes' | 'docker'; needs: readonly Requirement[] }[]

/** Puts the power off and on again. */
async function outage(redis: RedisSystem) {
  const active = await redis.inject(nemesis('power-loss', { node: 'n1' }))
  const healed = await active.heal()
  await redis.writing()
  return { active, healed }
}

for (const { disk, needs: diskNeeds } of disks) {
  for (const { kind, needs } of kinds) {
    requires(
      'linux',
      'root',
      'redis',
      ...diskNeeds,
      ...needs,
    )(`power loss of ${kind} on a ${disk} disk`, () => {
      it('takes acknowledged writes that were not synced, the last ones', { timeout: 300_000 }, async () => {
        const redis = await startRedisSystem(redisProvider(kind, { fsync: 'everysec', disk }))
        const before = redis.openEntries()
        let lost: readonly number[] = []
        // Redis syncs once a second: it may have done so just before.
        for (let attempt = 0; attempt < 5 && lost.length === 0; attempt += 1) {
          const { active } = await outage(redis)
          expect(active.window.cause).toBe(null)
          const { evidence } = active.window
          expect(evidence.find(({ signal }) => signal === 'process state')).toMatchObject({
            side: 'injector',
            before: 'running',
            after: 'exited by SIGKILL',
          })
          expect(evidence.some((item) => item.side === 'victim' && changed(item))).toBe(true)
          lost = await redis.lost()
          const bytes = evidence.find(({ signal }) => signal === 'unsynced bytes that vanished')
          if (lost.length > 0) expect(bytes?.after).toBeGreaterThan(0)
        }
        expect(lost.length).toBeGreaterThan(0)
        expect(redis.openEntries()).toBe(before)
        const kept = [...redis.acked].filter((number) => number < Math.max(...lost) && !lost.includes(number))
        expect(Math.max(...kept)).toBeLessThan(Math.min(...lost))
      })

      it('takes nothing of a server that syncs before it answers', { timeout: 300_000 }, async () => {
        const redis = await startRedisSystem(redisProvider(kind, { fsync: 'always', disk }))
        const { active, healed } = await outage(redis)
        expect(active.window.cause).toBe(null)
        expect(redis.acked.size).toBeGreaterThan(5)
        expect(await redis.lost()).toEqual([])
        expect(healed.healed.find(({ signal }) => signal === 'process state')?.after).toBe('running')
      })
    })
  }
}

requires(
  'linux',
  'root',
  'redis',
  'fuse',
)('power loss of a node that keeps its data elsewhere', () => {
  it('does not count as landed', { timeout: 240_000 }, async () => {
    const elsewhere = await temporaryDirectory()
    const provider = processes({
      command: ({ listen }) => [
        ...['redis-server', '--port', String(listen(6379)), '--dir', elsewhere],
        ...['--appendonly', 'yes', '--save', ''],
      ],
      count: 1,
      ports: [6379],
      disk: 'fuse',
    })
    const redis = await startRedisSystem(provider)
    const declared = nemesis('power-loss', { node: 'n1', landWithin: '1s' })
    const active = await inject(declared, redis.context, { id: 'F1' })
    await active.heal()
    expect(active.landed).toBe(false)
    expect(active.window.cause).toContain('what it writes lies elsewhere')
  })
})

requires('redis')('power loss', () => {
  it('cannot be made on the disk of the machine, and says what can', { timeout: 240_000 }, async () => {
    const redis = await startRedisSystem(redisProvider('processes', { fsync: 'always' }))
    await expect(redis.inject(nemesis('power-loss', { node: 'n1' }))).rejects.toMatchObject({
      name: 'EnvironmentError',
    })
    expect(redis.storage.lacks('power-loss')?.hint).toContain("disk: 'fuse'")
  })
})
