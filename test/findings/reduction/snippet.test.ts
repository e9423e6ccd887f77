import { describe, expect, it } from 'vitest'
import { partsOf } from '../../../src/findings/reduction/candidate.js'
import { reproducerSchema, type Reproducer } from '../../../src/findings/reduction/reproducer.js'
import { snippetOf } from '../../../src/findings/reduction/snippet.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'

const source = `import { nemesis, scenario } from 'vitest-nemesis'

scenario('reads_are_fresh', {
  id: 'S1',
  falsifies: [C1],
  system: store,
  model: register(),
  workload: load,
  nemesis: [nemesis('partition', { isolate: 'random', at: '1s', for: '1s' })],
  checkers: [linearizable()],
})
`

const none = { after: [], waitMs: 0 }
const operation = (id: string, type: string, value: number | null, after: string[], waitMs = 0) => ({
  ...{ id, type, value, after, waitMs },
  client: id === 'o1' ? 0 : 1,
  node: id === 'o1' ? 'n1' : 'n3',
  key: "it's",
})

const reproducer: Reproducer = {
  reproducer: 1,
  scenario: { id: 'S1', name: 'reads_are_fresh', location: 'a.scenario.ts:3' },
  system: 'store',
  seed: 42,
  violation: { checker: 'linearizable', types: ['stale-value'], explanation: 'read -> null\nafter write(1)' },
  tries: 3,
  faults: [
    {
      ...{ id: 'F1', fault: 'partition isolate=random', path: '0', kind: null },
      drawn: [{ target: 'random', nodes: ['n3'] }],
      ...{ atMs: 500, forMs: 1_000, turn: { after: ['o1 ended'], waitMs: 0 }, heal: null },
    },
  ],
  load: {
    kind: 'operations',
    operations: [
      operation('o1', 'write', 1, []),
      operation('o2', 'read', null, ['F1 placed'], 120),
      operation('o3', 'read', null, ['o2 invoked']),
    ],
  },
}
const nemeses = new Map([['F1', nemesis('partition', { isolate: 'n3' })]])

describe('a reproducer as a scenario', () => {
  it('takes over what the declaration says, and performs the script', () => {
    expect(snippetOf(reproducer, { source, nemeses }))
      .toBe(`// S1 reads_are_fresh, reduced. linearizable: read -> null after write(1)
// Paste it below that scenario in a.scenario.ts, whose imports and constants it uses.
scenario('reads_are_fresh, reduced', {
  id: 'S1-reduced',
  falsifies: [C1],
  system: store,
  model: register(),
  checkers: [linearizable()],
}, async ({ nodes, clients, op, inject, sleep }) => {
  const { operations } = load.spec
  const at = (name: string) => clients[nodes.findIndex((node) => node.name === name)]!
  const seen = () => undefined
  await op({ process: 0, node: 'n1', type: 'write', key: 'it\\'s', input: 1 }, (signal) =>
    operations['write']!.run({ client: at('n1'), key: 'it\\'s', value: 1, signal, seen }),
  )
  const f1 = await inject(nemesis('partition', { isolate: 'n3', landWithin: '1s' }))
  await sleep(120)
  const o2 = op({ process: 1, node: 'n3', type: 'read', key: 'it\\'s' }, (signal) =>
    operations['read']!.run({ client: at('n3'), key: 'it\\'s', value: null, signal, seen }),
  )
  const o3 = op({ process: 1, node: 'n3', type: 'read', key: 'it\\'s' }, (signal) =>
    operations['read']!.run({ client: at('n3'), key: 'it\\'s', value: null, signal, seen }),
  )
  await o2
  await o3
})
`)
  })

  it('heals a fault in its turn', () => {
    const faults = reproducer.faults.map((fault) => ({
      ...fault,
      turn: none,
      heal: { after: ['o1 ended'], waitMs: 0 },
    }))
    const text = snippetOf({ ...reproducer, faults }, { source, nemeses })
    expect(text).toMatch(/const f1 = await inject[^]*await o1\n {2}await f1\.heal\(\)/)
  })

  it('is the declared workload with times when that is all that is known', () => {
    const load = { kind: 'workload', clients: 2, durationMs: 1_500 } as const
    const text = snippetOf({ ...reproducer, load }, { source, nemeses })
    expect(text).toContain('workload: { spec: { ...load.spec, clients: 2 } },')
    expect(text).toContain("nemesis: [nemesis('partition', { isolate: 'n3', at: 500, for: 1000 })],")
    expect(text).toContain('seed: 42,')
    expect(text?.trimEnd().endsWith('})')).toBe(true)
  })

  it('is none where functions would have to be written down', () => {
    const hooked = nemesis.define({
      name: 'read-only',
      category: 'cluster',
      inject: () => Promise.resolve(),
    } as never)
    expect(snippetOf(reproducer, { source, nemeses: new Map([['F1', hooked()]]) })).toBeNull()
  })

  it('is none without a declaration that is written out', () => {
    expect(snippetOf(reproducer, { source: 'scenario(name, declaration)', nemeses })).toBeNull()
  })
})

it('a reproducer of another version is refused', () => {
  expect(reproducerSchema.safeParse(reproducer).success).toBe(true)
  expect(reproducerSchema.safeParse({ ...reproducer, reproducer: 2 }).success).toBe(false)
})

it('a candidate of the workload has times and no turns', () => {
  const load = { kind: 'workload', clients: 2, durationMs: 1_500 } as const
  expect(partsOf({ events: [], load })).toEqual({ faults: [], load })
})
