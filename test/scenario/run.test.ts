import { AssertionError } from 'node:assert'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { invariant, linearizable } from '../../src/checkers/index.js'
import { EnvironmentError } from '../../src/errors.js'
import { readHistory } from '../../src/history/read.js'
import { nemesis } from '../../src/nemesis/nemesis.js'
import type { ScenarioBody } from '../../src/scenario/pass/drive/body.js'
import { readSession } from '../../src/session/session.js'
import { MemorySystem, type MemoryClient, type MemoryOptions } from './memory-system.js'
import { run, scenarioOn } from './running.js'

const memoryOf = (options: MemoryOptions = {}) => new MemorySystem(3, options)

test('a system that keeps its claim passes, and everything is on disk', async () => {
  const memory = memoryOf()
  const { record, sessionDir, phases } = await run(scenarioOn(memory))
  expect(record.ruling.verdict).toBe('PASS-smoke')
  expect(memory).toMatchObject({ started: 1, stopped: 1 })
  expect([...new Set(phases)]).toEqual(['start', 'ready', 'drive', 'recover', 'collect', 'stop', 'check'])
  const { scenarios } = await readSession(sessionDir)
  expect(scenarios).toEqual([record])
  const { operations } = await readHistory(join(sessionDir, record.runs[0]!.history!))
  expect(operations.length).toBe(record.runs[0]!.load!.invoked)
  expect(operations.length).toBeGreaterThan(10)
  expect(await readFile(join(sessionDir, 'findings', 'reads_return_the_latest_write.md'), 'utf8')).toContain(
    'PASS-smoke',
  )
})

test('a replay hands the seed over, and without one it comes from the name', async () => {
  const { record: first } = await run(scenarioOn(memoryOf()))
  const { record: again } = await run(scenarioOn(memoryOf()))
  vi.stubEnv('NEMESIS_SEED', '12345')
  onTestFinished(() => void vi.unstubAllEnvs())
  const { record: replayed } = await run(scenarioOn(memoryOf()))
  expect(again.runs[0]!.seed).toBe(first.runs[0]!.seed)
  expect(replayed.runs[0]!.seed).toBe(12_345)
})

test('a violation is run twice more with the same seed', async () => {
  const memory = memoryOf({ stale: true })
  const { record } = await run(scenarioOn(memory, { blame: false }))
  expect(record.ruling.verdict).toBe('FAIL-reproducible')
  expect(record.runs.map(({ purpose }) => purpose)).toEqual(['seed', 'rerun', 'rerun'])
  expect(new Set(record.runs.map(({ seed }) => seed)).size).toBe(1)
  expect(memory).toMatchObject({ started: 3, stopped: 3 })
})

test('a fault lands, is met, is healed and has its epoch in the history', async () => {
  const memory = memoryOf()
  const spec = scenarioOn(memory, { nemesis: [nemesis('kill', { node: 'n2', at: '50ms', for: '100ms' })] })
  const { record, sessionDir } = await run({
    ...spec,
    budget: { smoke: { duration: '400ms', nodes: 3, faults: 1, seeds: 1 } },
  })
  expect(record.ruling.verdict).toBe('PASS-smoke')
  const [window] = record.runs[0]!.faults
  expect(window).toMatchObject({ id: 'F1', fault: 'kill', target: 'n2', landed: true, cause: null })
  expect(window!.exposure!.exposed).toBeGreaterThan(0)
  expect(window!.healed_ts).toBeGreaterThan(window!.landed_ts!)
  const { operations } = await readHistory(join(sessionDir, record.runs[0]!.history!))
  expect(operations.some(({ fault_epoch }) => fault_epoch === 'F1')).toBe(true)
  expect(operations.some(({ fault_epoch }) => fault_epoch === null)).toBe(true)
})

test('a fault that needs what the system does not offer is inconclusive, and says what is missing', async () => {
  const memory = memoryOf()
  const { record } = await run(scenarioOn(memory, { nemesis: [nemesis('partition', { isolate: 'n1' })] }))
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-env')
  expect(record.ruling.reason).toContain('partition needs the capability network')
  expect(memory).toMatchObject({ started: 1, stopped: 1 })
})

test.each([
  [
    'a missing server',
    { missing: [{ what: 'redis-server', hint: 'apt-get install redis-server' }] },
    'redis-server',
  ],
  [
    'a start that fails',
    { startError: new EnvironmentError('port', 'no free port', 'free one') },
    'no free port',
  ],
])('%s is inconclusive', async (_, options, words) => {
  const { record } = await run(scenarioOn(memoryOf(options)))
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-env')
  expect(record.ruling.reason).toContain(words)
})

test('a system that never becomes ready is stopped and inconclusive', async () => {
  const memory = memoryOf()
  const spec = scenarioOn(memory)
  const never = {
    ...spec.system,
    spec: { ...spec.system.spec, ready: () => Promise.reject(new Error('no leader')) },
  }
  const { record } = await run({ ...spec, system: never })
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-env')
  expect(record.runs[0]!.error).toMatchObject({ phase: 'ready', kind: 'environment' })
  expect(record.runs[0]!.error!.message).toContain('no leader')
  expect(memory).toMatchObject({ started: 1, stopped: 1 })
})

test('without quiescence the final state is not read, and the checker that needs it does not pass', async () => {
  const memory = memoryOf()
  const settled = invariant<MemoryClient>('settled', { collect: () => Promise.resolve(1), holds: () => true })
  const spec = scenarioOn(memory, { checkers: [linearizable(), settled] })
  const restless = { ...spec.system, spec: { ...spec.system.spec, quiesced: () => Promise.resolve(false) } }
  const { record } = await run({ ...spec, system: restless })
  expect(record.runs[0]).toMatchObject({ recoveryMs: null, error: null })
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-oracle-too-weak')
  expect(record.ruling.reason).toContain('come to rest')
})

test('a run in which nothing was answered proves nothing', async () => {
  const spec = scenarioOn(memoryOf())
  const deaf = {
    ...spec.system,
    spec: { ...spec.system.spec, connect: () => Promise.reject(new Error('no route')) },
  }
  const { record } = await run({ ...spec, system: deaf })
  expect(record.runs[0]!.load).toMatchObject({ ok: 0, unknown: 0 })
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-oracle-too-weak')
  expect(record.ruling.reason).toMatch(/none of \d+ operations was answered.*no route/)
})

test('the system says which errors of its clients are definite, for a body too', async () => {
  const { workload: _, ...spec } = scenarioOn(memoryOf())
  const definite = { ...spec.system, spec: { ...spec.system.spec, classify: () => 'failed' as const } }
  const body: ScenarioBody<MemoryClient> = async ({ op }) => {
    const refused = await op({ process: 0, type: 'write', key: 'k', input: 1 }, () =>
      Promise.reject(new Error('NO')),
    )
    expect(refused.outcome).toBe('failed')
    await op({ process: 0, type: 'read', key: 'k' }, () => Promise.resolve(null))
  }
  const { record } = await run({ ...spec, system: definite }, body)
  expect(record.runs[0]!.error).toBeNull()
})

test('a body records its operations, and its failed assertion is a violation', async () => {
  const memory = memoryOf()
  const { workload: _, ...spec } = scenarioOn(memory)
  const body: ScenarioBody<MemoryClient> = async ({ clients, op, until, log }) => {
    await op({ process: 0, type: 'write', key: 'k', input: 1 }, () => clients[0]!.put('k', 1))
    const read = await op({ process: 1, type: 'read', key: 'k' }, () => clients[1]!.get('k'))
    expect(read).toEqual({ outcome: 'ok', output: 1 })
    expect(await until(() => 7)).toBe(7)
    log('about to fail')
    throw new AssertionError({ message: 'the queue lost an element' })
  }
  const { record, sessionDir } = await run(spec, body)
  expect(record.ruling.verdict).toBe('FAIL-reproducible')
  expect(record.ruling.reason).toContain('the queue lost an element')
  const { operations } = await readHistory(join(sessionDir, record.runs[0]!.history!))
  expect(operations.map(({ op_type, output }) => [op_type, output])).toEqual([
    ['write', null],
    ['read', 1],
  ])
  expect(await readFile(join(sessionDir, 'session-log.md'), 'utf8')).toContain('about to fail')
})

test('what a body gives an operation is recorded as it was then, or refused', async () => {
  const { workload: _, ...spec } = scenarioOn(memoryOf())
  const input = { amount: 1 }
  const { record, sessionDir } = await run(spec, async ({ op }) => {
    await op({ process: 0, type: 'write', key: 'k', input }, () => {
      input.amount = 2
      return Promise.resolve()
    })
    await op({ process: 0, type: 'write', key: 'k', input: Number.NaN }, () => Promise.resolve())
  })
  expect(record.runs[0]!.error).toMatchObject({ kind: 'harness', phase: 'drive' })
  expect(record.ruling.reason).toContain('the input of "write" is NaN')
  const { operations } = await readHistory(join(sessionDir, record.runs[0]!.history!))
  expect(operations.map((operation) => operation.input)).toEqual([{ amount: 1 }])
})

test('after an unknown outcome a client of the body goes on as another process', async () => {
  const { workload: _, ...spec } = scenarioOn(memoryOf())
  const body: ScenarioBody<MemoryClient> = async ({ op }) => {
    const lost = await op({ process: 0, type: 'write', key: 'k', input: 1 }, () =>
      Promise.reject(new Error('reset')),
    )
    expect(lost.outcome).toBe('unknown')
    await op({ process: 0, type: 'write', key: 'k', input: 2 }, () => Promise.resolve())
  }
  const { record, sessionDir } = await run(spec, body)
  const { operations } = await readHistory(join(sessionDir, record.runs[0]!.history!))
  expect(operations.map(({ process_id }) => process_id)).toEqual(['body-0.0', 'body-0.1'])
})

test('a broken body is the harness’s fault, not a violation', async () => {
  const memory = memoryOf()
  const { workload: _, ...spec } = scenarioOn(memory)
  const { record } = await run(spec, () => Promise.reject(new TypeError('x is not a function')))
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-env')
  expect(record.runs[0]!.error).toMatchObject({ phase: 'drive', kind: 'harness' })
  expect(record.ruling.reason).toContain('the test itself failed in phase drive: x is not a function')
  expect(memory).toMatchObject({ started: 1, stopped: 1 })
})

test('a fault injected by hand is healed although the body forgets to', async () => {
  const memory = memoryOf()
  const spec = scenarioOn(memory)
  const body: ScenarioBody<MemoryClient> = async ({ inject, sleep }) => {
    const kill = await inject(nemesis('kill', { node: 'n3' }))
    expect(kill.landed).toBe(true)
    await sleep('50ms')
  }
  const { record } = await run(spec, body)
  expect(record.runs[0]!.faults[0]).toMatchObject({ fault: 'kill', landed: true })
  expect(record.runs[0]!.faults[0]!.healed_ts).not.toBeNull()
  expect(memory.nodes.map(({ status }) => status)).toEqual(['running', 'running', 'running'])
})

test('a cancelled run heals, stops and says in which phase it was', async () => {
  const memory = memoryOf()
  const controller = new AbortController()
  const spec = scenarioOn(memory, { nemesis: [nemesis('pause', { node: 'n1' })] })
  const { spec: traffic } = spec.workload!
  const { read, write } = traffic.operations
  const reading = read!.run.bind(read)
  const watched = {
    ...read,
    run: (context: Parameters<typeof reading>[0]) => {
      if (memory.nodes[0]!.status === 'paused') controller.abort()
      return reading(context)
    },
  }
  const long = {
    ...spec,
    workload: { spec: { ...traffic, operations: { read: watched, write: write! } } },
    budget: { smoke: { duration: '20s', nodes: 3, faults: 0, seeds: 1 } },
  } as const
  const { record } = await run(long, undefined, controller.signal)
  expect(record.runs[0]!.error).toMatchObject({ kind: 'interrupted' })
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-env')
  expect(memory.nodes[0]!.status).toBe('running')
  expect(memory).toMatchObject({ started: 1, stopped: 1 })
})
