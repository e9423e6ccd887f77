import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { HarnessError } from '../../src/errors.js'
import { startClock } from '../../src/history/clock.js'
import { outcomeOf } from '../../src/history/operation.js'
import { readHistory } from '../../src/history/read.js'
import { Recorder } from '../../src/history/recorder.js'
import { Random } from '../../src/random/random.js'
import { drive, type DriveOptions } from '../../src/workload/drive.js'
import { workload } from '../../src/workload/index.js'
import type { OperationContext, WorkloadSpec } from '../../src/workload/workload.js'
import { temporaryDirectory } from '../history/temporary.js'

const temporary = temporaryDirectory()

interface Client {
  readonly node: string
}
type Node = { readonly name: string }

const nodes = [{ name: 'n1' }, { name: 'n2' }]
const answer = async () => null

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Never answers; rejects when it is given up, as a well-behaved client does. */
function hang({ signal }: Pick<OperationContext<Client>, 'signal'>): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
}

async function driven(spec: WorkloadSpec<Client>, options: Partial<DriveOptions<Client, Node>> = {}) {
  const clock = startClock()
  const recorder = new Recorder({ file: temporary.fresh(), clock })
  const closed: Client[] = []
  const result = await drive<Client, Node>({
    workload: workload(spec),
    nodes,
    connect: ({ name }) => ({ node: name }),
    close: (client) => void closed.push(client),
    recorder,
    clock,
    random: new Random(7),
    durationMs: 300,
    signal: new AbortController().signal,
    ...options,
  }).finally(() => recorder.close())
  return { ...result, closed, operations: recorder.operations(), recorder }
}

describe('closed loop', () => {
  test('clients share one sequence of operations and the history holds what they did', async () => {
    const spec: WorkloadSpec<Client> = {
      clients: 5,
      keys: { count: 3 },
      operations: {
        write: {
          run: async ({ client, value }) => {
            await wait(2)
            return { value, node: client.node }
          },
        },
        read: { run: async ({ seen }) => (seen('leader'), null) },
      },
    }
    const { operations, load, throughput, closed, recorder } = await driven(spec)
    expect((await readHistory(recorder.file)).operations).toEqual(operations)
    expect(operations.length).toBeGreaterThan(50)
    expect(load).toMatchObject({
      loop: 'closed',
      intendedRate: null,
      invoked: operations.length,
      failed: 0,
      unknown: 0,
    })
    expect(load.ok).toBe(operations.length)
    expect(load.rate).toBeCloseTo(operations.length / 0.3, -1)
    expect(throughput.reduce((sum, { ok }) => sum + ok, 0)).toBe(load.ok)
    expect(load.latency!.p50).toBeLessThanOrEqual(load.latency!.max)
    expect(closed).toHaveLength(5)
    expect(new Set(operations.map((it) => it.process_id))).toEqual(new Set([0, 1, 2, 3, 4]))
    for (const { process_id, op_type, output, input, node_seen } of operations) {
      const own = nodes[Number(process_id) % 2]!.name
      if (op_type === 'write') expect(output).toEqual({ value: input, node: own })
      expect(node_seen).toBe(op_type === 'write' ? own : 'leader')
    }
  })

  test('the same seed gives the same operations in order of invocation, however long they take', async () => {
    const take = (ms: number): WorkloadSpec<Client> => {
      const run = () => wait(ms)
      return {
        clients: 3,
        keys: { count: 9, skew: 'zipf' },
        operations: { write: { weight: 2, run }, read: { run } },
      }
    }
    const [fast, slow] = await Promise.all([driven(take(1)), driven(take(9))])
    const what = (run: typeof fast) => run.operations.map(({ op_type, key, input }) => [op_type, key, input])
    expect(slow.operations.length).toBeGreaterThan(20)
    expect(what(slow)).toEqual(what(fast).slice(0, slow.operations.length))
  })

  test('think time spaces the operations of a client', async () => {
    const { operations } = await driven({ clients: 1, think: '50ms', operations: { read: { run: answer } } })
    expect(operations.length).toBeLessThanOrEqual(6)
    expect(operations[1]!.invoke_ts - operations[0]!.complete_ts!).toBeGreaterThanOrEqual(49e6)
  })
})

describe('open loop', () => {
  test('keeps the rate', async () => {
    const spec = { clients: 4, rate: 200, operations: { read: { run: answer } } }
    const { load, unstarted } = await driven(spec, { durationMs: 3_000 })
    expect(load).toMatchObject({ loop: 'open', intendedRate: 200 })
    expect(load.invoked + unstarted).toBe(600)
    expect(load.invoked).toBeGreaterThan(500)
  })

  test('a stall shows in the latency of every operation that it held up, not only in the one that stalled', async () => {
    let stalled = false
    const run = async () => {
      if (stalled) return
      stalled = true
      await wait(2_000)
    }
    const { load, operations, unstarted } = await driven(
      { clients: 1, rate: 100, timeout: '20s', operations: { read: { run } } },
      { durationMs: 4_000 },
    )
    const slowToAnswer = operations.filter((it) => it.complete_ts! - it.invoke_ts > 1_000e6)
    expect(slowToAnswer).toHaveLength(1)
    expect(load.invoked + unstarted).toBe(400)
    // The 200 operations meant to start during the stall waited 2 s down to 0 s: half of all waited, a quarter of all more
    // than 1 s.
    expect(load.latency!.max).toBeGreaterThan(1_950)
    expect(load.latency!.p90).toBeGreaterThan(1_250)
  })

  test('operations that nobody was free to start before the end are counted', async () => {
    const spec = { clients: 1, rate: 100, timeout: '200ms', operations: { read: { run: hang } } } as const
    const { load, unstarted, operations } = await driven(spec)
    expect(operations.length).toBeLessThanOrEqual(3)
    expect(load.invoked + unstarted).toBe(30)
  })
})

describe('going on beyond the duration', () => {
  test.each([{ rate: undefined }, { rate: 100 }, { rate: 0.1 }])(
    'it ends when what it waits for is settled, at rate $rate',
    async ({ rate }) => {
      const spec = { clients: 2, operations: { read: { run: () => wait(1) } } }
      const { load, startedAt, endedAt } = await driven(rate === undefined ? spec : { ...spec, rate }, {
        durationMs: 50,
        goOn: wait(400),
      })
      const lengthMs = (endedAt - startedAt) / 1e6
      expect(lengthMs).toBeGreaterThanOrEqual(380)
      // An open loop of one operation in ten seconds does not wait for its next one.
      expect(lengthMs).toBeLessThan(8_000)
      expect(load.slices.at(-1)!.toMs).toBeCloseTo(lengthMs)
      const beyond = load.slices.filter(({ fromMs }) => fromMs >= 50).reduce((sum, { ok }) => sum + ok, 0)
      if (rate !== 0.1) expect(beyond).toBeGreaterThan(0)
    },
  )

  test('what is settled before the end changes nothing, nor does a rejection', async () => {
    const spec = { clients: 1, operations: { read: { run: () => wait(1) } } }
    const { startedAt, endedAt } = await driven(spec, { goOn: Promise.reject(new Error('told elsewhere')) })
    expect(endedAt - startedAt).toBe(300e6)
  })
})

describe('outcomes', () => {
  test('no answer in time is unknown: the client is closed, connects again and goes on as another process', async () => {
    let connected = 0
    const spec = { clients: 2, timeout: '100ms', operations: { write: { run: hang } } } as const
    const { operations, closed, load } = await driven(spec, {
      connect: ({ name }) => (connected++, { node: name }),
    })
    expect(
      operations.every((it) => outcomeOf(it) === 'unknown' && it.error === 'no answer within 100 ms'),
    ).toBe(true)
    expect(load).toMatchObject({ ok: 0, unknown: operations.length, latency: null })
    // Client 0 is process 0, 2, 4, … and client 1 process 1, 3, 5, …: none does a second operation.
    for (const parity of [0, 1]) {
      const ids = operations.map((it) => Number(it.process_id)).filter((id) => id % 2 === parity)
      expect(ids).toEqual(ids.map((_, nth) => parity + 2 * nth))
    }
    expect(closed).toHaveLength(connected)
    expect(connected).toBe(operations.length)
  })

  test('an answer after that is counted as late', async () => {
    const run = () => wait(150)
    const { recorder } = await driven({ clients: 1, timeout: '50ms', operations: { write: { run } } })
    expect(recorder.lateAnswers()).toBeGreaterThan(0)
    expect(recorder.operations().every((it) => outcomeOf(it) === 'unknown')).toBe(true)
  })

  test('errors are unknown by default, and what classify says otherwise', async () => {
    const run = async ({ value }: { value: unknown }) => {
      throw new Error(Number(value) % 2 === 0 ? 'not leader' : 'boom')
    }
    const byDefault = await driven({ clients: 1, operations: { write: { run } } })
    expect(byDefault.load.failed).toBe(0)
    const classify = (error: unknown) => ((error as Error).message === 'not leader' ? 'failed' : 'unknown')
    const spec = { clients: 1, operations: { write: { run } }, classify } as const
    const { operations, load } = await driven(spec, { durationMs: 2_000 })
    expect(operations.slice(0, 2).map((it) => [outcomeOf(it), it.error])).toEqual([
      ['unknown', 'boom'],
      ['failed', 'not leader'],
    ])
    // A lost connection makes the client rest, so that a dead node does not fill the history with errors.
    expect(load.unknown).toBeLessThanOrEqual(21)
  })

  test.each([
    ['is refused', () => Promise.reject(new Error('nobody there')), 'could not connect: nobody there'],
    [
      'throws',
      () => {
        throw new Error('bad address')
      },
      'could not connect: bad address',
    ],
    ['hangs', () => new Promise<never>(() => {}), 'could not connect: no answer within 80 ms'],
  ])('a connection that %s before anything is sent makes the operation failed', async (_, connect, error) => {
    let sent = 0
    const spec = {
      clients: 1,
      timeout: '80ms',
      operations: { write: { run: async () => void sent++ } },
    } as const
    const { operations } = await driven(spec, { connect })
    expect(operations.length).toBeGreaterThan(0)
    expect(operations.length).toBeLessThanOrEqual(4)
    expect(operations.every((it) => outcomeOf(it) === 'failed' && it.error === error)).toBe(true)
    expect(sent).toBe(0)
  })

  test('a client that comes too late is closed and never used', async () => {
    let sent = 0
    const spec = {
      clients: 1,
      timeout: '50ms',
      operations: { write: { run: async () => void sent++ } },
    } as const
    const connect = async ({ name }: Node) => (await wait(90), { node: name })
    const { closed } = await driven(spec, { connect, durationMs: 1_000 })
    await wait(100)
    expect(sent).toBe(0)
    expect(closed.length).toBeGreaterThan(1)
  })

  test('cancelling ends it at once, operations in flight being unknown', async () => {
    const cancel = new AbortController()
    let waiting = 0
    const run = (context: OperationContext<Client>) => {
      if ((waiting += 1) === 20) setTimeout(() => cancel.abort(), 100)
      return hang(context)
    }
    const spec = { clients: 20, timeout: '60s', operations: { write: { run } } } as const
    const started = performance.now()
    const { operations } = await driven(spec, { signal: cancel.signal, durationMs: 100_000 })
    expect(performance.now() - started).toBeLessThan(30_000)
    expect(operations.map((it) => it.error)).toEqual(operations.map(() => 'the run was cancelled'))
    expect(operations).toHaveLength(20)
  })

  test('a client that cannot be closed is told', async () => {
    const close = () => {
      throw new Error('stuck')
    }
    const { notes } = await driven({ clients: 2, operations: { read: { run: () => wait(5) } } }, { close })
    expect(notes).toEqual([
      'a client of n1 could not be closed: stuck',
      'a client of n2 could not be closed: stuck',
    ])
  })
})

describe('errors of the harness end the run and keep the history', () => {
  test.each<[string, Partial<WorkloadSpec<Client>>, string]>([
    [
      'classify',
      { classify: (() => 'info') as never },
      `workload.classify for an error of "write" (boom) returned info`,
    ],
    [
      'seen',
      { operations: { write: { run: async ({ seen }) => seen(7 as never) } } },
      '"write" called seen() with',
    ],
    ['output', { operations: { write: { run: async () => 1n } } }, 'the output of "write" is a bigint'],
  ])('%s', async (_, change, message) => {
    const spec = {
      clients: 3,
      operations: { write: { run: () => Promise.reject(new Error('boom')) } },
      ...change,
    }
    let file = ''
    const clock = startClock()
    const recorder = new Recorder({ file: (file = temporary.fresh()), clock })
    const run = driven(spec, { recorder, durationMs: 60_000 })
    await expect(run).rejects.toThrow(HarnessError)
    await expect(run).rejects.toThrow(message)
    recorder.close()
    expect(readFileSync(file, 'utf8')).toContain('"timeout_marker":true')
  })
})

test('progress is told about once a second', async () => {
  const told: number[] = []
  await driven(
    { clients: 1, operations: { read: { run: () => wait(5) } } },
    {
      durationMs: 1_300,
      onProgress: ({ ok, perSecond, inFlight }) => void told.push(ok, perSecond, inFlight),
    },
  )
  expect(told).toHaveLength(3)
  expect(told[0]).toBeGreaterThan(20)
  expect(told[1]).toBe(told[0])
  expect(told[2]).toBeLessThanOrEqual(1)
})

test('it lasts as long as it was asked to, wherever the last operation of an open loop falls', async () => {
  const spec: WorkloadSpec<Client> = { clients: 1, rate: '20/s', operations: { read: { run: answer } } }
  const lasted = await Promise.all(
    Array.from({ length: 8 }, async (_, seed) => {
      const started = performance.now()
      await driven(spec, { random: new Random(seed) })
      return performance.now() - started
    }),
  )
  expect(Math.min(...lasted)).toBeGreaterThanOrEqual(300)
})
