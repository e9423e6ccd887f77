import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { describe, expect, it } from 'vitest'
import type { BackupRestoreRaceOptions } from '../../../src/nemesis/faults/backup-restore-race.js'
import { inject } from '../../../src/nemesis/inject.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { startRedis, type RedisServer } from '../../support/redis.js'
import { requires } from '../../support/requirements.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { fakeRun, quiet } from '../fakes.js'
import { redisProvider, startRedisSystem } from './redis-system.js'

requires('redis')('backup-restore-race on redis-server', () => {
  it('shows what was acknowledged and is not in the restored backup', { timeout: 240_000 }, async () => {
    const redis = await startRedisSystem(redisProvider('processes', { fsync: 'everysec' }))
    const directory = join(await temporaryDirectory(), 'restored')
    let restored: RedisServer | null = null
    const active = await redis.inject(
      nemesis('backup-restore-race', {
        node: 'n1',
        async backup() {
          const client = new Redis(redis.port, redis.host, { maxRetriesPerRequest: 0 })
          try {
            // So slow that writes get in between.
            await client.config('SET', 'rdb-key-save-delay', '5000')
            await client.bgsave()
            await expect
              .poll(() => client.info('persistence'), { timeout: 20_000 })
              .toContain('rdb_bgsave_in_progress:0')
          } finally {
            client.disconnect()
          }
          return redis.storage.read('n1', 'dump.rdb')
        },
        async restore({ backup }) {
          await mkdir(directory)
          await writeFile(join(directory, 'dump.rdb'), backup as Uint8Array)
          restored = await startRedis([], directory)
        },
        proof: async () =>
          restored === null ? 'nothing restored' : redis.acked.size - (await restored.client.dbsize()),
        undo: () => restored?.kill(),
      }),
    )
    expect(active.window).toMatchObject({ landed: true, cause: null })
    const [acknowledged, made, restore, proof] = active.window.evidence
    expect(acknowledged).toMatchObject({ side: 'injector', before: 0 })
    expect(Number(acknowledged?.after)).toBeGreaterThan(0)
    expect(made).toMatchObject({ signal: 'backup made', before: 'no' })
    expect(restore).toMatchObject({ signal: 'restored', before: 'no' })
    expect(restore?.at).toBeGreaterThan(made?.at as number)
    expect(proof).toMatchObject({ side: 'victim', before: 'nothing restored' })
    expect(Number(proof?.after)).toBeGreaterThanOrEqual(Number(acknowledged?.after))
    const { healed } = await active.heal()
    expect(healed).toMatchObject([{ after: expect.stringContaining('cannot be read any more') }])
  })
})

describe('backup-restore-race', () => {
  const race = (hooks: Partial<BackupRestoreRaceOptions> = {}) => {
    let proof = 0
    return nemesis('backup-restore-race', {
      node: 'leader',
      backup: () => 'backup',
      restore: () => void (proof += 1),
      proof: () => proof,
      landWithin: '50ms',
      ...hooks,
    })
  }

  it('did not happen when nothing was acknowledged meanwhile', async () => {
    const { context } = fakeRun()
    const { window } = await inject(race(), context, { id: 'F1' })
    expect(window).toMatchObject({
      landed: false,
      cause: expect.stringContaining('nothing raced with it'),
    })
  })

  it('did not happen when nothing shows the restore', async () => {
    const { context } = fakeRun()
    const busy = { ...context, activity: () => ({ ...quiet, ok: 3 }) }
    const { window } = await inject(race({ proof: () => 7 }), busy, { id: 'F1' })
    expect(window).toMatchObject({ landed: false, cause: expect.stringContaining('proof of n1 stayed 7') })
  })

  it.each(['backup', 'restore', 'proof'] as const)('names the hook that failed: %s', async (hook) => {
    const { context } = fakeRun()
    const fail = () => {
      throw new Error('no space')
    }
    await expect(inject(race({ [hook]: fail }), context, { id: 'F1' })).rejects.toThrow(
      `backup-restore-race: ${hook}() on n1: no space`,
    )
  })

  it('takes back what a restore that failed has done', async () => {
    const { context } = fakeRun()
    const undone: unknown[] = []
    const hooks = {
      restore: () => {
        throw new Error('half way')
      },
      undo: ({ backup }: { backup: unknown }) => void undone.push(backup),
    }
    await expect(inject(race(hooks), context, { id: 'F1' })).rejects.toThrow('half way')
    expect(undone).toEqual(['backup'])
  })

  it('is taken back, once, also when the proof cannot be read any more', async () => {
    const { context } = fakeRun()
    let broken = false
    const undone: unknown[] = []
    const active = await inject(
      race({
        proof: () => {
          if (broken) throw new Error('gone')
          return 1
        },
        undo: ({ backup }) => void undone.push(backup),
      }),
      context,
      { id: 'F1' },
    )
    broken = true
    const { healed } = await active.heal()
    expect(healed).toMatchObject([{ before: expect.stringContaining('gone') }])
    await active.heal()
    expect(undone).toEqual(['backup'])
  })

  it('takes one node', async () => {
    const { context } = fakeRun()
    await expect(inject(race({ node: 'all' }), context, { id: 'F1' })).rejects.toThrow('means 3 nodes')
  })
})
