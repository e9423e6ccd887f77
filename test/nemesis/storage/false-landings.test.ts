import { expect, it } from 'vitest'
import { inject } from '../../../src/nemesis/inject.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import { processTree, tracerOf } from '../../../src/systems/storage/strace/process-tree.js'
import type { Storage } from '../../../src/systems/capabilities.js'
import { requires } from '../../support/requirements.js'
import { startLineServers } from '../../systems/running.js'
import { fakeRun } from '../fakes.js'

const timeout = 240_000

requires(
  'linux',
  'root',
  'strace',
)('storage faults that do not land', () => {
  /** A server that answers on its port and keeps nothing on disk. */
  async function diskless() {
    const { running, lifecycle } = await startLineServers()
    const { context } = fakeRun({ nodes: ['n1'] })
    return { ...context, lifecycle, storage: running.storage as Storage }
  }

  it('say that no file operation met them', { timeout }, async () => {
    const context = await diskless()
    for (const fault of [
      nemesis('disk-full', { node: 'n1', landWithin: '300ms' }),
      nemesis('fsync-failure', { node: 'n1', landWithin: '300ms' }),
    ]) {
      const active = await inject(fault, context, { id: 'F1' })
      expect(active.window).toMatchObject({
        landed: false,
        cause: expect.stringMatching(/^no file operation of n1 met the fault \(strace .*: 0\)/),
      })
      expect(await active.heal()).toMatchObject({
        healed: [{ signal: 'rule in place', before: 'yes', after: 'no' }],
      })
    }
  })

  it('leave sockets alone: the server answers while no write to its files would', { timeout }, async () => {
    const context = await diskless()
    const rule = await context.storage.disturb('n1', { kind: 'full' })
    expect(await context.lifecycle.probe('n1', 2_000)).toBe('answers')
    expect(await rule.counters()).toEqual([{ signal: 'writes that failed with ENOSPC', value: 0 }])
    await rule.remove()
  })

  it(
    'are put in place again when the tracer dies, and are gone for every thread after the heal',
    { timeout },
    async () => {
      const context = await diskless()
      const rule = await context.storage.disturb('n1', { kind: 'slow', delayMs: 10 })
      const { pid } = await context.lifecycle.state('n1')
      const tracers = async () => Promise.all((await processTree(pid as number)).map(tracerOf))
      const [first] = await tracers()
      expect(first).toBeGreaterThan(0)
      process.kill(first as number, 'SIGKILL')
      await expect
        .poll(async () => (await tracers()).every((tracer) => tracer !== first && tracer !== 0), {
          timeout: 20_000,
        })
        .toBe(true)
      expect(await rule.present()).toBe(true)
      await rule.remove()
      expect(new Set(await tracers())).toEqual(new Set([0]))
    },
  )

  it('name a file that is not there, with those that are', { timeout }, async () => {
    const context = await diskless()
    const fault = nemesis('corruption', { node: 'n1', file: 'wal/*', flip: 1 })
    await expect(inject(fault, context, { id: 'F1' })).rejects.toThrow(
      /no file of n1 matches "wal\/\*": it has no files/,
    )
    // It was stopped to have its file changed, and must not stay down.
    expect((await context.lifecycle.state('n1')).status).toBe('running')
  })
})
