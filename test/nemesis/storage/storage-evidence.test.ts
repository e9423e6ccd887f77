import { expect, it } from 'vitest'
import { inject } from '../../../src/nemesis/inject.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import type { Storage, StorageRule } from '../../../src/systems/capabilities.js'
import { fakeRun } from '../fakes.js'

/** What a mechanism reads of one node, and the file that it has. */
function fakeStorage(rule: Partial<StorageRule> = {}) {
  const original: Uint8Array = Buffer.from('what the node has written')
  const state = { content: original, present: true }
  const storage = {
    lacks: () => null,
    disturb: async (): Promise<StorageRule> => ({
      mechanism: 'filler file',
      counters: async () => [{ signal: 'bytes taken up', value: 1_024 }],
      remove: async () => void (state.present = false),
      present: async () => state.present,
      ...rule,
    }),
    files: async () => [{ path: 'log', bytes: state.content.length }],
    read: async () => state.content,
    replace: async (_: string, __: string, content: Uint8Array) => {
      state.content = content
      return { restore: async () => (state.content = original) === original }
    },
  } as unknown as Storage
  return { storage, state, original }
}

it('a disk on which a write still works is not full, however much was taken up', async () => {
  let write = 'written'
  const { storage } = fakeStorage({
    readings: async () => [
      { signal: 'free bytes', before: 4_096, after: 0 },
      { signal: 'a write of 4096 bytes', before: 'written', after: write },
    ],
    victims: async () => [{ signal: 'writes that were refused', before: 0, after: 3 }],
  })
  const run = fakeRun()
  const full = (id: string) =>
    inject(nemesis('disk-full', { node: 'n1', landWithin: 50 }), { ...run.context, storage }, { id })
  expect((await full('F1')).window.cause).toMatch(
    /^filler file has not had its effect on n1 \(a write of 4096 bytes: written\)/,
  )
  write = 'ENOSPC'
  expect((await full('F2')).window).toMatchObject({ landed: true, cause: null })
})

it('a disturbance is lost when it is not on a node that runs, and not when the node has ended', async () => {
  const victims = async () => [{ signal: 'writes that were refused', before: 0, after: 3 }]
  for (const [runs, landed] of [
    [true, false],
    [false, true],
  ] as const) {
    const { storage, state } = fakeStorage({ victims })
    const run = fakeRun()
    const declared = nemesis('fsync-failure', { node: 'n1' })
    const fault = await inject(declared, { ...run.context, storage }, { id: 'F1' })
    if (!runs) await run.lifecycle.stop('n1')
    state.present = false
    await fault.heal()
    expect(fault.window.landed).toBe(landed)
    expect(fault.window.cause ?? '').toMatch(landed ? /^$/ : /filler file is not in place on n1 any more/)
  }
})

it('starts a node again of whose end the system hears only after the heal has begun', async () => {
  const { storage } = fakeStorage({ victims: async () => [{ signal: 'failed writes', before: 0, after: 3 }] })
  const run = fakeRun()
  const fault = await inject(
    nemesis('fsync-failure', { node: 'n1' }),
    { ...run.context, storage },
    { id: 'F1' },
  )
  run.lifecycle.exit = { exitCode: 1, exitSignal: null }
  let refusals = 0
  run.lifecycle.probe = async () => {
    if (run.lifecycle.log.includes('start n1')) return 'answers'
    refusals += 1
    if (refusals === 3) await run.lifecycle.stop('n1')
    return 'refused'
  }
  await fault.heal()
  expect((await run.lifecycle.state('n1')).status).toBe('running')
  expect(fault.window.healed).toContainEqual(
    expect.objectContaining({ signal: 'process state', before: 'exited with code 1', after: 'running' }),
  )
})

it('a corruption is lost when something else writes the original back', async () => {
  const { storage, state, original } = fakeStorage()
  const run = fakeRun()
  const fault = await inject(
    nemesis('corruption', {
      node: 'n1',
      file: 'log',
      flip: 1,
      landing: [{ name: 'complaints', sample: () => Promise.resolve(complaints++) }],
    }),
    { ...run.context, storage },
    { id: 'F1' },
  )
  expect(fault.window).toMatchObject({ landed: true })
  state.content = original
  await fault.heal()
  expect(fault.window).toMatchObject({
    landed: false,
    cause: expect.stringContaining('something else has written log of n1 back'),
  })
})

let complaints = 0
