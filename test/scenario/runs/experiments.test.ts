import { describe, expect, it } from 'vitest'
import { sequential } from '../../../src/checkers/index.js'
import { model } from '../../../src/models/index.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import type { ScenarioRecord } from '../../../src/session/record.js'
import { workload } from '../../../src/workload/index.js'
import { MemorySystem, type MemoryClient } from '../memory-system.js'
import { run, scenarioOn } from '../running.js'

const stale = () => new MemorySystem(3, { stale: true })
/** Time enough for a stale read on a busy machine: a run ends at the first. */
const budget = { smoke: { duration: '5s', nodes: 3, faults: 0, seeds: 1 } } as const

const experiment = ({ classification }: ScenarioRecord, name: string) =>
  classification?.experiments.find((one) => one.name === name)

describe('a violation', () => {
  it('is tried without the faults and with another workload, and the system is to blame when it survives', async () => {
    const fault = nemesis('kill', { node: 'n2', at: '20ms', for: '50ms' })
    const { record } = await run(scenarioOn(stale(), { budget, nemesis: [fault] }))
    expect(record.runs.map(({ name, purpose }) => [purpose, name.replace(/^seed-\d+/, 'seed')])).toEqual([
      ['seed', 'seed'],
      ['rerun', 'seed-rerun-1'],
      ['rerun', 'seed-rerun-2'],
      ['experiment', 'experiment-without-faults'],
      ['experiment', 'experiment-another-workload'],
    ])
    expect(experiment(record, 'known-good history')).toMatchObject({ clears: ['checker'] })
    expect(experiment(record, 'another workload')).toMatchObject({ points: 'SUT', clears: ['harness'] })
    expect(record.classification).toMatchObject({
      blame: 'SUT',
      needsFault: false,
      type: 'ordering',
      severity: 'P0',
    })
  })

  it('is tried once more where a changed run does not go to its end', async () => {
    const spec = scenarioOn(stale(), { budget })
    const { nodes } = spec.system.spec
    let starts = 0
    // The seed and two re-runs come first.
    const start: typeof nodes.start = (options) =>
      ++starts === 4 ? Promise.reject(new Error('no port is free')) : nodes.start(options)
    const system = { ...spec.system, spec: { ...spec.system.spec, nodes: { ...nodes, start } } }
    const { record } = await run({ ...spec, system })
    const tried = record.runs.filter(({ purpose }) => purpose === 'experiment')
    expect(tried.map(({ name, error }) => [name, error?.message ?? null])).toEqual([
      ['experiment-another-workload', 'no port is free'],
      ['experiment-another-workload-2', null],
    ])
    expect(record.classification).toMatchObject({ blame: 'SUT' })
  })

  it('that another client does not see is the harness’s', async () => {
    const memory = stale()
    const sound = new MemorySystem(3)
    const { record } = await run(
      scenarioOn(memory, { budget, blame: { client: { connect: (node) => sound.client(node.name) } } }),
    )
    expect(record.classification).toMatchObject({ blame: 'harness' })
    expect(record.classification?.reason).toContain('another client: no violation was observed')
  })

  it('is tried on the system of the size that shows it, with what closes the clients in use', async () => {
    const events: string[] = []
    const memory = stale()
    const { system: five } = scenarioOn(memory)
    const close = () => void events.push('closed as usual')
    const connect = ({ name }: { readonly name: string }) => {
      events.push('another client')
      return memory.client(name)
    }
    const { record } = await run(
      scenarioOn(new MemorySystem(3), {
        budget: { smoke: { ...budget.smoke, duration: '1s' } },
        topologies: [{ ...five, name: 'five', spec: { ...five.spec, close } } as never],
        blame: { client: { connect } },
      }),
    )
    const tried = record.runs.filter(({ purpose }) => purpose === 'experiment')
    expect(tried.map(({ name, system }) => [name, system])).toEqual([
      ['experiment-another-workload', 'five'],
      ['experiment-another-client', 'five'],
    ])
    expect(events).toContain('closed as usual')
    expect(events.slice(events.indexOf('another client'))).not.toContain('closed as usual')
  })

  it('of requests that the system can only refuse is the harness’s', async () => {
    const broken = workload<MemoryClient>({
      clients: 3,
      keys: { count: 2 },
      think: '2ms',
      operations: {
        write: { run: ({ client, key, value }) => client.put(key, value) },
        read: {
          run: ({ client, key, value }) =>
            Math.random() < 0.3
              ? Promise.reject(new Error(`ERR wrong number of arguments: ${JSON.stringify(value)}`))
              : client.get(key),
        },
      },
    })
    const { record } = await run(scenarioOn(stale(), { budget, workload: broken }))
    expect(record.classification?.blame).toBe('harness')
    expect(experiment(record, 'requests')?.outcome).toContain('wrong number of arguments')
  })

  it('by a model that is wrong is the checker’s', async () => {
    const wrong = model({
      name: 'register',
      operations: ['read', 'write'],
      init: (): unknown => null,
      // It takes a write for one that changes nothing.
      step: (state, { type, outcome, output }) =>
        type === 'read' && outcome === 'ok' && output !== state ? undefined : state,
    })
    const { record } = await run(scenarioOn(new MemorySystem(3), { model: wrong }))
    expect(record.ruling.verdict).toBe('FAIL-reproducible')
    expect(record.classification?.blame).toBe('checker')
  })

  it('that a documented relaxation allows is the checker’s', async () => {
    const relaxations = [{ name: 'stale reads', source: 'docs/reads.md', checker: sequential() }]
    const { record } = await run(scenarioOn(stale(), { budget, blame: { relaxations } }))
    expect(experiment(record, 'documented relaxation')).toBeDefined()
  })

  it('is classified by its author where he says so', async () => {
    const finding = { type: 'timing', severity: 'P3', owner: 'storage team' } as const
    const { record } = await run(scenarioOn(stale(), { budget, finding, blame: false }))
    expect(record.classification).toMatchObject({
      ...finding,
      setByAuthor: ['type', 'severity'],
      needsFault: null,
    })
    expect(record.runs.every(({ purpose }) => purpose !== 'experiment')).toBe(true)
  })
})

it('nothing found, nothing classified', async () => {
  const { record } = await run(scenarioOn(new MemorySystem(3)))
  expect(record.classification).toBeNull()
})

it('a checker that throws is to blame for the missing answer', async () => {
  const spec = scenarioOn(new MemorySystem(3))
  const checkers = spec.checkers.map((checker) => ({
    ...checker,
    check: () => Promise.reject(new Error('cannot cast')),
  }))
  const { record } = await run({ ...spec, checkers })
  expect(record.ruling.verdict).toBe('PARTIAL-surface')
  expect(record.classification).toMatchObject({ blame: 'checker' })
})
