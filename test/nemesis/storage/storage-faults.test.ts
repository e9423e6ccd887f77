import { expect, it } from 'vitest'
import type { FaultWindow } from '../../../src/nemesis/evidence.js'
import { changed, type Nemesis } from '../../../src/nemesis/fault.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import type { DiskOption } from '../../../src/systems/storage/disk-option.js'
import { requires } from '../../support/requirements.js'
import { redisProvider, startRedisSystem } from './redis-system.js'

const timeout = 300_000
const needed = { processes: [], docker: ['docker'] } as const
const strace = 'strace error injection'

for (const kind of ['processes', 'docker'] as const) {
  requires(
    'redis',
    'strace',
    'root',
    ...needed[kind],
  )(`storage faults on redis-server (${kind})`, () => {
    /** Lands with numbers on both sides, is undone, leaves nothing and loses no acknowledged write. */
    async function landsAndHeals(
      fault: Nemesis,
      { fsync = 'everysec', disk }: { fsync?: 'everysec' | 'always'; disk?: DiskOption } = {},
    ): Promise<FaultWindow & { readonly error: string | null; readonly log: string }> {
      const redis = await startRedisSystem(
        redisProvider(kind, { fsync, ...(disk === undefined ? {} : { disk }) }),
      )
      const before = redis.openEntries()
      const active = await redis.inject(fault)
      expect(active.window).toMatchObject({ landed: true, cause: null })
      for (const side of ['injector', 'victim'] as const) {
        expect(active.window.evidence.some((item) => item.side === side && changed(item))).toBe(true)
      }
      const error = redis.lastError()
      const healed = await active.heal()
      expect(healed).toMatchObject({ landed: true, cause: null })
      await redis.writing()
      expect(redis.openEntries()).toBe(before)
      expect(await redis.lost()).toEqual([])
      return { ...healed, error, log: await redis.log() }
    }

    it('disk-full by failing writes', { timeout }, async () => {
      const window = await landsAndHeals(nemesis('disk-full', { node: 'n1' }))
      expect(window.mechanism).toBe(strace)
      expect(window.error).toMatch(/No space left on device/)
      expect(window.evidence).toContainEqual(
        expect.objectContaining({ side: 'injector', signal: 'writes that failed with ENOSPC', before: 0 }),
      )
    })

    it('disk-full by a filler, on a disk of its own', { timeout }, async () => {
      const window = await landsAndHeals(nemesis('disk-full', { node: 'n1' }), { disk: { size: '4m' } })
      expect(window.mechanism).toBe('filler file')
      expect(window.error).toMatch(/No space left on device/)
      expect(window.evidence).toContainEqual(expect.objectContaining({ signal: 'free bytes', after: 0 }))
      expect(window.healed).toContainEqual(
        expect.objectContaining({ signal: 'a write of 4096 bytes', before: 'ENOSPC', after: 'written' }),
      )
    })

    it('disk-full ends a server that must sync each write; it is started again', { timeout }, async () => {
      const window = await landsAndHeals(nemesis('disk-full', { node: 'n1' }), {
        fsync: 'always',
        disk: { size: '4m' },
      })
      expect(window.log).toMatch(/Exiting/)
      expect(window.healed).toContainEqual(
        expect.objectContaining({ signal: 'process state', before: 'exited with code 1', after: 'running' }),
      )
    })

    it('slow-disk', { timeout }, async () => {
      const window = await landsAndHeals(nemesis('slow-disk', { node: 'n1', delay: '300ms' }))
      expect(window.mechanism).toBe('strace delay injection')
      const waits = window.evidence.filter(({ signal }) => signal.startsWith('wait of the oldest'))
      expect(Number(waits[0]?.after)).toBeGreaterThanOrEqual(240)
    })

    it('fsync-failure', { timeout }, async () => {
      const window = await landsAndHeals(nemesis('fsync-failure', { node: 'n1', restart: true }))
      expect(window.error).toMatch(/Input\/output error/)
      expect(window.healed).toContainEqual(
        expect.objectContaining({ signal: 'process state', after: 'running' }),
      )
    })

    it('is put on a node again that was started anew meanwhile', { timeout }, async () => {
      const redis = await startRedisSystem(redisProvider(kind, { fsync: 'everysec' }))
      const rule = await redis.storage.disturb('n1', { kind: 'slow', delayMs: 20 })
      const met = async () => (await rule.counters())[0]?.value ?? 0
      await expect.poll(met, { timeout: 20_000 }).toBeGreaterThan(0)
      await redis.lifecycle.kill('n1')
      await expect.poll(() => rule.present(), { timeout: 20_000 }).toBe(false)
      await redis.lifecycle.start('n1')
      await expect.poll(() => rule.present(), { timeout: 20_000 }).toBe(true)
      const before = await met()
      await expect.poll(met, { timeout: 20_000 }).toBeGreaterThan(before)
      await rule.remove()
      expect(await rule.present()).toBe(false)
    })

    it('can be paused, and goes on, while it is traced', { timeout }, async () => {
      const redis = await startRedisSystem(redisProvider(kind, { fsync: 'everysec' }))
      const rule = await redis.storage.disturb('n1', { kind: 'slow', delayMs: 20 })
      await redis.lifecycle.pause('n1')
      expect((await redis.lifecycle.state('n1')).status).toBe('paused')
      await redis.lifecycle.resume('n1')
      await redis.writing()
      await redis.lifecycle.pause('n1')
      await rule.remove()
      expect((await redis.lifecycle.state('n1')).status).toBe('paused')
      const again = await redis.storage.disturb('n1', { kind: 'slow', delayMs: 20 })
      await redis.lifecycle.resume('n1')
      await redis.writing()
      await again.remove()
      await redis.writing()
    })

    it('says so when the node is traced already', { timeout }, async () => {
      const redis = await startRedisSystem(redisProvider(kind, { fsync: 'everysec' }))
      const rule = await redis.storage.disturb('n1', { kind: 'slow', delayMs: 1 })
      await expect(
        redis.storage.disturb('n1', { kind: 'fail', operation: 'fsync', error: 'EIO' }),
      ).rejects.toThrow(/strace could not be attached[^]*one tracer at most/)
      await rule.remove()
      const other = await redis.storage.disturb('n1', { kind: 'fail', operation: 'fsync', error: 'EIO' })
      await other.remove()
    })

    it('corruption that a server refuses', { timeout }, async () => {
      const window = await landsAndHeals(
        nemesis('corruption', { node: 'n1', file: '**/*.incr.aof', flip: 1, offset: 0 }),
      )
      expect(window.log).toMatch(/Bad file format reading the append only file/)
      expect(window.evidence).toContainEqual(
        expect.objectContaining({ side: 'victim', before: 'running', after: 'exited with code 1' }),
      )
      const content = window.evidence.find(({ signal }) => signal.startsWith('content of'))
      expect(window.healed).toContainEqual(
        expect.objectContaining({ before: content?.after, after: content?.before }),
      )
    })

    it('corruption that a server goes on with lands by a declared sign only', { timeout }, async () => {
      const redis = await startRedisSystem(redisProvider(kind, { fsync: 'everysec' }))
      const before = redis.openEntries()
      const torn = { node: 'n1', file: '**/*.incr.aof', truncate: 7 }
      const silent = await redis.inject(nemesis('corruption', torn), { landWithinMs: 1_000 })
      expect(silent.window).toMatchObject({
        landed: false,
        cause: expect.stringContaining('process state of n1 stayed running'),
      })
      await silent.heal()
      await redis.writing()
      const truncations = async () => (await redis.log()).split('Truncating the AOF').length - 1
      const seen = await redis.inject(
        nemesis('corruption', { ...torn, landing: [{ name: 'truncations', sample: truncations }] }),
      )
      expect(seen.window).toMatchObject({ landed: true, cause: null })
      await redis.writing()
      const { healed } = await seen.heal()
      expect(healed).toContainEqual(
        expect.objectContaining({ signal: expect.stringContaining('which the node has gone on with') }),
      )
      await redis.writing()
      // What the two cuts took is gone; nothing that was written since may be.
      expect((await redis.lost()).length).toBeLessThanOrEqual(2)
      expect(redis.openEntries()).toBe(before)
    })
  })
}
