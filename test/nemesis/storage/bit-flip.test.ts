import { describe, expect, it } from 'vitest'
import { inject } from '../../../src/nemesis/inject.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { becomes } from '../../../src/time/wait.js'
import { requires } from '../../support/requirements.js'
import { redisProvider, startRedisSystem } from './redis-system.js'

for (const kind of ['processes', 'docker'] as const) {
  const needs = kind === 'docker' ? (['docker'] as const) : []
  requires(
    'linux',
    'root',
    'redis',
    'fuse',
    ...needs,
  )(`bit flips under ${kind}`, () => {
    it('are on the disk, where they are said to be, and stop', { timeout: 240_000 }, async () => {
      const redis = await startRedisSystem(redisProvider(kind, { fsync: 'always', disk: 'fuse' }))
      const before = redis.openEntries()
      const active = await redis.inject(nemesis('bit-flip', { node: 'n1', on: 'write', oneIn: 3 }))
      expect(active.window.cause).toBe(null)
      const { healed } = await active.heal()
      expect(healed.find(({ signal }) => signal === 'rule in place')).toMatchObject({
        before: 'yes',
        after: 'no',
      })
      const flips = active.window.evidence.flatMap(({ side, signal, before: was, after }) => {
        const [, offset, path] = /^byte (\d+) of (.+), as it is on the disk$/.exec(signal) ?? []
        return side === 'victim' && path !== undefined ? [{ offset: Number(offset), path, was, after }] : []
      })
      expect(flips.length).toBeGreaterThan(0)
      for (const { offset, path, was, after } of flips) {
        const content = await redis.storage.read('n1', path)
        expect(hex(content[offset])).toBe(after)
        expect(was).not.toBe(after)
      }
      await redis.writing()
      expect(await redis.lost()).toEqual([])
      expect(redis.openEntries()).toBe(before)
    })

    it('meet what the node reads', { timeout: 240_000 }, async () => {
      const redis = await startRedisSystem(redisProvider(kind, { fsync: 'always', disk: 'fuse' }))
      const rule = await redis.storage.disturb('n1', { kind: 'flip', on: 'read', every: 1 })
      await redis.lifecycle.kill('n1')
      // It reads its files when it starts: what it makes of them is its own matter.
      await redis.lifecycle.start('n1').catch(() => undefined)
      const flips = async () => (await rule.victims?.()) ?? []
      expect(await becomes(async () => (await flips()).length > 0, { withinMs: 10_000 })).toBe(true)
      expect((await flips())[0]?.signal).toMatch(/^byte \d+ of appendonlydir\/.+, as the node was given it$/)
      await rule.remove()
      await redis.lifecycle.kill('n1')
      await redis.lifecycle.start('n1')
      await redis.writing()
      expect(await redis.lost()).toEqual([])
    })
  })
}

describe('bit-flip', () => {
  it('takes counts from 1 on', () => {
    expect(() => nemesis('bit-flip', { node: 'n1', oneIn: 0 })).toThrow('oneIn')
  })
})

requires(
  'linux',
  'root',
  'redis',
  'fuse',
)('a bit flip that nothing meets', () => {
  it('does not count as landed', { timeout: 240_000 }, async () => {
    const redis = await startRedisSystem(redisProvider('processes', { fsync: 'always', disk: 'fuse' }))
    // A server reads its files only when it starts.
    const declared = nemesis('bit-flip', { node: 'n1', on: 'read', landWithin: '300ms' })
    const active = await inject(declared, redis.context, { id: 'F1' })
    await active.heal()
    expect(active.landed).toBe(false)
    expect(active.window.cause).toContain('no file operation of n1 met the fault')
  })
})

function hex(byte: number | undefined): string {
  return `0x${(byte ?? 0).toString(16).padStart(2, '0')}`
}
