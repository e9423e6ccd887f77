import { join } from 'node:path'
import type { Redis } from 'ioredis'
import { expect, it } from 'vitest'
import { availability, baseline, slo } from '../../../src/checkers/index.js'
import type { FaultSpan } from '../../../src/history/fault-span.js'
import { startClock } from '../../../src/history/clock.js'
import { Recorder } from '../../../src/history/recorder.js'
import { requires } from '../../support/requirements.js'
import { startRedis } from '../../support/redis.js'
import { temporaryDirectory } from '../../support/temporary.js'

/** Reads through a client, one after the other, until told to stop, and records them. */
async function recorded(
  client: Redis,
  { count, between = async () => {} }: { count: number; between?: (index: number) => Promise<unknown> },
) {
  const clock = startClock()
  const recorder = new Recorder({ file: join(await temporaryDirectory(), 'history.ndjson'), clock })
  for (let index = 0; index < count; index++) {
    await between(index)
    const operation = recorder.invoke({ process: 0, type: 'get', key: 'a', input: null, node: 'n1' })
    try {
      operation.ok(await client.get('a'))
    } catch (error) {
      operation.failed(String(error))
    }
  }
  const operations = recorder.operations()
  recorder.close()
  return { operations, now: clock.now() }
}

const judged = (
  operations: readonly never[] | Awaited<ReturnType<typeof recorded>>['operations'],
  faults: readonly FaultSpan[] = [],
) => ({
  operations,
  faults,
  model: null,
  collected: null,
  timeoutMs: 10_000,
})

requires('redis')('redis-server', () => {
  it('that is killed is not available, and does not recover by itself', { timeout: 60_000 }, async () => {
    const server = await startRedis()
    const well = await recorded(server.client, { count: 40 })
    const checker = availability({ atLeast: 0.9, recoverWithin: '50ms', steady: '20ms' })
    expect(await availability({ atLeast: 0.9 }).check(judged(well.operations))).toMatchObject({ valid: true })

    const pause = () => new Promise((resolve) => setTimeout(resolve, 10))
    const run = await recorded(server.client, {
      count: 40,
      between: (index) => (index === 5 ? server.kill() : pause()),
    })
    const killed = run.operations[5]!.invoke_ts
    const fault: FaultSpan = { epoch: 'F1', name: 'kill n1', start: killed - 1, end: killed }
    const result = await checker.check(judged(run.operations, [fault]))
    expect(result.valid).toBe(false)
    expect(result.anomalies.map(({ type }) => type)).toEqual(['unavailable', 'late-recovery'])
  })

  it('that sleeps misses its objective and is slower than its baseline', { timeout: 60_000 }, async () => {
    const server = await startRedis(['--enable-debug-command', 'local'])
    const sleeper = await server.connect()
    const objective = slo({ latency: { percentile: 90, atMost: '20ms' } })
    const measured = baseline({ metric: { latency: 50 }, baseline: [1, 1, 1], tolerance: 1 })
    const runs = []
    for (let run = 0; run < 3; run++) {
      const { operations } = await recorded(server.client, {
        count: 6,
        between: async () => void sleeper.call('DEBUG', 'SLEEP', '0.05'),
      })
      expect(await objective.check(judged(operations))).toMatchObject({ valid: false })
      runs.push(await measured.check(judged(operations)))
    }
    const across = measured.acrossRuns!(runs)
    expect(across.valid).toBe(false)
    expect(across.evidence['ratio']).toBeGreaterThan(10)
  })
})
