import fc from 'fast-check'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { availability, baseline, linearizable, noLostAck } from '../../../src/checkers/index.js'
import { register } from '../../../src/models/index.js'
import { canonical } from '../../../src/scenario/declaration/canonical.js'
import { harnessDigest } from '../../../src/scenario/declaration/harness-digest.js'
import type { ScenarioSpec } from '../../../src/scenario/spec.js'
import { workload, type WorkloadSpec } from '../../../src/workload/index.js'
import { MemorySystem } from '../memory-system.js'
import { scenarioOn } from '../running.js'

const traffic: WorkloadSpec<unknown> = {
  clients: 4,
  rate: '100/s',
  keys: { count: 3 },
  operations: { write: { weight: 2, run: async () => 'written' }, read: { run: async () => null } },
}

function digest(changes: Partial<ScenarioSpec> = {}, load: Partial<WorkloadSpec<unknown>> = {}): string {
  const spec = scenarioOn(new MemorySystem(3))
  const given = { ...spec, workload: workload({ ...traffic, ...load }), ...changes }
  return harnessDigest({ spec: given, body: undefined, tier: 'smoke' })
}

const { write, read } = traffic.operations as Required<typeof traffic.operations>

describe('what makes no difference', () => {
  test.each<[string, Partial<ScenarioSpec>]>([
    ['the seed', { seed: 9 }],
    ['the id', { id: 'S99' }],
    ['faults', { nemesis: [] }],
    ['another system', { system: scenarioOn(new MemorySystem(9)).system }],
    ['the same checker again', { checkers: [linearizable()] }],
  ])('%s', (_, changes) => {
    expect(digest(changes)).toBe(digest())
  })

  test('a duration in other words', () => {
    expect(digest({}, { timeout: '1s' })).toBe(digest({}, { timeout: 1_000 }))
  })

  test('the same arbitrary made again', () => {
    const drawing = () =>
      digest(
        {},
        { operations: { ...traffic.operations, write: { ...write!, input: fc.integer({ max: 9 }) } } },
      )
    expect(drawing()).toBe(drawing())
  })

  test('what a baseline is compared with', () => {
    const compared = (values: number[], harness: string) =>
      digest({ checkers: [baseline({ metric: 'throughput', baseline: values, harness })] })
    expect(compared([1, 2, 3], 'a'.repeat(64))).toBe(compared([7, 8, 9], 'b'.repeat(64)))
  })
})

describe('what makes one', () => {
  test.each<[string, Partial<ScenarioSpec>, Partial<WorkloadSpec<unknown>>]>([
    ['clients', {}, { clients: 5 }],
    ['the rate', {}, { rate: '200/s' }],
    ['keys', {}, { keys: { count: 4 } }],
    ['the timeout', {}, { timeout: '2s' }],
    ['a weight', {}, { operations: { write: { ...write!, weight: 3 }, read: read! } }],
    ['an operation', {}, { operations: { write: { ...write!, run: async () => 'else' }, read: read! } }],
    ['an input', {}, { operations: { write: { ...write!, input: fc.integer({ max: 9 }) }, read: read! } }],
    ['a checker', { checkers: [linearizable(), noLostAck()] }, {}],
    ['the initial value of the model', { model: register({ init: 5 }) }, {}],
    ['how long it runs', { budget: { smoke: { duration: '9s', nodes: 3, faults: 0, seeds: 1 } } }, {}],
  ])('%s', (_, changes, load) => {
    expect(digest(changes, load)).not.toBe(digest())
  })

  test('options of a checker, functions by their source text', () => {
    const final = (read: (key: string) => Promise<string>) =>
      digest({ checkers: [noLostAck({ final: ({ key }) => read(String(key)) })] })
    const within = (share: number) => digest({ checkers: [availability({ atLeast: share })] })
    expect(within(0.9)).toBe(within(0.9))
    expect(within(0.9)).not.toBe(within(0.8))
    // What a function closes over does not count.
    expect(final(async () => 'a')).toBe(final(async () => 'b'))
    expect(final(async () => 'a')).not.toBe(digest({ checkers: [noLostAck({ final: async () => 'a' })] }))
  })

  test('a body', () => {
    const spec = scenarioOn(new MemorySystem(3))
    const of = (body: () => Promise<void>) => harnessDigest({ spec, body, tier: 'smoke' })
    expect(of(async () => {})).not.toBe(of(async () => void 1))
  })
})

test('the same text in every process', async () => {
  const value = { b: [1, undefined, null, 2n], a: new Map([[/x/g, new Set(['y'])]]), f: (x: number) => x }
  const itself: Record<string, unknown> = { value }
  itself['again'] = itself
  const text = canonical(itself)
  expect(text).toBe(
    '{"again":itself,"value":{"a":map [["/x/g",set ["y"]]],"b":[1,undefined,null,2n],"f":function "(x) => x"}}',
  )
  const { stdout } = await execa(process.execPath, ['-p', 'String((x) => x)'])
  expect(text).toContain(JSON.stringify(stdout))
})
