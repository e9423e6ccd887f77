import { expect, it } from 'vitest'
import { nemesis } from '../../../../src/nemesis/nemesis.js'
import { Passes } from '../../../../src/scenario/runs/passes.js'
import type { Script } from '../../../../src/scenario/pass/drive/play-script.js'
import { createSession } from '../../../../src/session/session.js'
import { readHistory } from '../../../../src/history/read.js'
import { join } from 'node:path'
import { temporaryDirectory } from '../../../support/temporary.js'
import { MemorySystem } from '../../memory-system.js'
import { scenarioOn } from '../../running.js'

async function play(script: Script, signal = new AbortController().signal) {
  const sessionDir = await temporaryDirectory()
  await createSession(sessionDir)
  const passes = new Passes(scenarioOn(new MemorySystem(3)), undefined, {
    name: 'scripted',
    location: null,
    sessionDir,
    tier: 'smoke',
    signal,
    progress: () => undefined,
  })
  const run = await passes.run({
    name: 'script',
    purpose: 'experiment',
    seed: 1,
    change: { nemesis: script.faults.map((fault) => fault.nemesis) },
    script,
  })
  const history = join(sessionDir, run.history ?? '')
  return { run, operations: (await readHistory(history, { allowEmpty: true })).operations }
}

const write = (id: string, node: string, value: number, after: string[] = []) => ({
  id,
  client: Number(node.slice(1)),
  node,
  type: 'write',
  key: 'k0',
  value,
  after,
  waitMs: 0,
})
const read = (id: string, node: string, after: string[], waitMs = 0) => ({
  ...write(id, node, 0, after),
  type: 'read',
  value: null,
  waitMs,
})

it('performs the operations in their order, at their nodes, and nothing else', async () => {
  const { run, operations } = await play({
    operations: [read('o1', 'n3', ['o3 ended']), write('o2', 'n1', 7), write('o3', 'n2', 8, ['o2 ended'])],
    faults: [],
  })
  expect(run.error).toBeNull()
  expect(operations.map(({ op_type: type, node_seen: node, output }) => [type, node, output])).toEqual([
    ['write', 'n1', null],
    ['write', 'n2', null],
    ['read', 'n3', 8],
  ])
  expect(run.load).toMatchObject({ loop: 'closed', invoked: 3, ok: 3 })
  expect(run.checks.map(({ valid }) => valid)).toEqual([true])
})

it('puts a fault in after one operation and heals it before another', async () => {
  const { run, operations } = await play({
    operations: [write('o1', 'n1', 1), read('o2', 'n2', ['F1 placed']), read('o3', 'n2', ['F1 healed'])],
    faults: [
      {
        id: 'F1',
        nemesis: nemesis('kill', { node: 'n2' }),
        turn: { after: ['o1 ended'], waitMs: 0 },
        heal: { after: ['o2 ended'], waitMs: 0 },
      },
    ],
  })
  expect(run.error).toBeNull()
  expect(run.faults).toMatchObject([{ fault: 'kill', target: 'n2', landed: true }])
  const [first, second, third] = operations
  expect(first?.fault_epoch).toBeNull()
  expect(second).toMatchObject({ fault_epoch: 'F1', timeout_marker: true })
  expect(third).toMatchObject({ fault_epoch: null, output: 1 })
})

it('keeps a pause', async () => {
  const { operations } = await play({
    operations: [write('o1', 'n1', 1), read('o2', 'n1', ['o1 ended'], 150)],
    faults: [],
  })
  const [first, second] = operations
  expect((second!.invoke_ts - first!.complete_ts!) / 1e6).toBeGreaterThanOrEqual(145)
})

it('says which operation the workload does not have', async () => {
  const { run } = await play({ operations: [{ ...write('o1', 'n1', 1), type: 'append' }], faults: [] })
  expect(run.error?.message).toContain("no operation 'append'")
  expect(run.error?.hint).toContain('write, read')
})

it('says which node the system does not have', async () => {
  const { run } = await play({ operations: [write('o1', 'n9', 1)], faults: [] })
  expect(run.error?.message).toContain("no node 'n9'")
})

it('ends what waits for its turn when the run is cancelled', async () => {
  const cancelled = AbortSignal.timeout(200)
  const { run } = await play({ operations: [write('o1', 'n1', 1, ['F9 placed'])], faults: [] }, cancelled)
  expect(run.error).toMatchObject({ phase: expect.any(String), kind: 'interrupted' })
})
