import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { System } from '../../../src/scenario/spec.js'
import { seedsDisagree } from '../../../src/scenario/runs/seeds.js'
import { system } from '../../../src/scenario/system.js'
import { runRecord } from '../../session/records.js'
import { MemorySystem, type MemoryClient, type MemoryOptions } from '../memory-system.js'
import { run, scenarioOn } from '../running.js'

function topology(name: string, nodes: number, options: MemoryOptions = {}): System<MemoryClient> {
  const memory = new MemorySystem(nodes, options)
  return system<MemoryClient>(name, {
    nodes: memory.provider(),
    connect: (node) => memory.client(node.name),
    settle: '300ms',
  })
}

const budget = (seeds: number) => ({ smoke: { duration: '100ms', nodes: 1, faults: 0, seeds } }) as const

test('every seed runs on every topology, and each run says on which', async () => {
  const spec = scenarioOn(new MemorySystem(3), {
    budget: budget(2),
    seed: 7,
    topologies: [topology('Five Nodes', 5)],
  })
  const { record, sessionDir, outcomes } = await run(spec)
  const [small, large] = [record.runs[0]!.name, record.runs[1]!.name]
  expect(record.runs.map(({ seed, system: on, nodes }) => [seed, on, nodes.length])).toEqual([
    [7, 'memory', 3],
    [7, 'Five Nodes', 5],
    [8, 'memory', 3],
    [8, 'Five Nodes', 5],
  ])
  expect(small).toBe('seed-7')
  expect(large).toMatch(/^seed-7-five-nodes-[0-9a-f]{8}$/)
  expect(record.runs[1]!.history).toContain(`/${large}/`)
  expect(record.topologies).toEqual(['Five Nodes'])
  expect(record.ruling.verdict).toBe('PASS-smoke')
  expect(outcomes.map(([name]) => name)).toEqual(record.runs.map(({ name }) => name))
  expect(outcomes[1]![1]).toMatch(/^no violation, \d+ operations$/)
  const log = await readFile(join(sessionDir, 'session-log.md'), 'utf8')
  expect(log).toContain(`[${large}] no violation`)
})

test('a violation on one topology is run again on that one, and the topologies are said to disagree', async () => {
  const memory = new MemorySystem(3)
  const spec = scenarioOn(memory, {
    budget: budget(2),
    seed: 7,
    topologies: [topology('stale', 2, { stale: true })],
  })
  const { record, outcomes } = await run(spec)
  const runs = record.runs.filter(({ purpose }) => purpose !== 'experiment')
  expect(runs.map(({ name, system: on, purpose }) => [name, on, purpose])).toEqual([
    ['seed-7', 'memory', 'seed'],
    ['seed-7-stale', 'stale', 'seed'],
    ['seed-7-stale-rerun-1', 'stale', 'rerun'],
    ['seed-7-stale-rerun-2', 'stale', 'rerun'],
  ])
  expect(record.ruling.verdict).toBe('FAIL-reproducible')
  const disagreement = 'Topologies disagree: 1 of 2 runs shows it (seed-7-stale), 1 does not (seed-7).'
  expect(record.ruling.reason).toContain(disagreement)
  expect(record.notes).toContain(disagreement)
  expect(outcomes[1]![1]).toMatch(/^violation \(linearizable\), \d+ operations$/)
})

test('seeds that agree need no words', () => {
  const violated = [{ ...runRecord().checks[0]!, valid: false }]
  expect(seedsDisagree({ runs: [runRecord(), runRecord({ name: 'seed-43', seed: 43 })] })).toBeNull()
  expect(seedsDisagree({ runs: [runRecord({ checks: violated })] })).toBeNull()
  const rerun = runRecord({ name: 'seed-42-rerun-1', purpose: 'rerun' })
  expect(seedsDisagree({ runs: [runRecord({ checks: violated }), rerun] })).toBeNull()
  expect(
    seedsDisagree({
      runs: [
        runRecord(),
        runRecord({ name: 'seed-43', seed: 43 }),
        runRecord({ name: 'seed-44', seed: 44, checks: violated }),
      ],
    }),
  ).toBe('Seeds disagree: 1 of 3 runs shows it (seed-44), 2 do not (seed-42, seed-43).')
})

test('what disagrees is said: seeds, topologies, both, or runs that are the same', () => {
  const violated = [{ ...runRecord().checks[0]!, valid: false }]
  const pass = (seed: number, on: string, violates = false) =>
    runRecord({ name: `${seed}-${on}`, seed, system: on, ...(violates ? { checks: violated } : {}) })
  const said = (...runs: ReturnType<typeof pass>[]) => seedsDisagree({ runs })?.split(':')[0]
  expect(said(pass(1, 'three'), pass(1, 'five', true))).toBe('Topologies disagree')
  expect(said(pass(1, 'three'), pass(1, 'five'), pass(2, 'three', true))).toBe('Seeds disagree')
  expect(said(pass(1, 'three'), pass(1, 'five'), pass(2, 'three'), pass(2, 'five', true))).toBe(
    'Seeds and topologies disagree',
  )
  // Tries of a reproducer have one seed and one system.
  expect(said(pass(1, 'three'), pass(1, 'three', true))).toBe('Runs disagree')
})

test('a run that was cancelled between two passes says so', async () => {
  const controller = new AbortController()
  const spec = scenarioOn(new MemorySystem(3), { budget: budget(3), seed: 7 })
  const { nodes } = spec.system.spec
  // The first pass is over when its system stops, but for its checks.
  const start: typeof nodes.start = async (options) => {
    const running = await nodes.start(options)
    return { ...running, stop: () => running.stop().finally(() => controller.abort(new Error('Ctrl-C'))) }
  }
  const stopped = { ...spec.system, spec: { ...spec.system.spec, nodes: { ...nodes, start } } }
  const { record } = await run({ ...spec, system: stopped }, undefined, controller.signal)
  expect(record.runs.at(-1)?.error).toMatchObject({ kind: 'interrupted' })
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-env')
})

test('a single pass has no line of its own', async () => {
  const { outcomes } = await run(scenarioOn(new MemorySystem(3)))
  expect(outcomes).toEqual([])
})
