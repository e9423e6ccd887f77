import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { fencingTokens, leaseExclusion, mutualExclusion } from '../../../src/checkers/index.js'
import { startClock } from '../../../src/history/clock.js'
import type { Operation } from '../../../src/history/operation.js'
import { readHistory } from '../../../src/history/read.js'
import { Recorder } from '../../../src/history/recorder.js'
import { startRedis } from '../../support/redis.js'
import { requires } from '../../support/requirements.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { judged } from '../against-definition.js'

/** A client of the usual lock on Redis in a process of its own: one command a line, one answer a line. */
const client = `
import { Redis } from 'ioredis'
import { createInterface } from 'node:readline'
const redis = new Redis(Number(process.argv[1]), '127.0.0.1', { lazyConnect: false })
const fenced = "local last = tonumber(redis.call('GET', 'last') or '0') if tonumber(ARGV[1]) < last then return 0 end redis.call('SET', 'last', ARGV[1]) redis.call('SET', KEYS[1], ARGV[2]) return 1"
let token = null
const commands = {
  ping: () => redis.ping(),
  async acquire() {
    if ((await redis.set('lock', String(process.pid), 'PX', process.argv[2], 'NX')) === null) return false
    token = await redis.incr('tokens')
    return { token }
  },
  write: async (value) => (await redis.set('value', value)) === 'OK',
  'fenced-write': async (value) => (await redis.eval(fenced, 1, 'fenced value', token, value)) === 1,
}
for await (const line of createInterface({ input: process.stdin })) {
  const [command, value] = line.split(' ')
  console.log(JSON.stringify({ output: await commands[command](value) }))
}
`

interface Holder {
  readonly pid: number
  /** Does it and records it; the token is the one that the lock gave. */
  act(type: 'acquire' | 'write' | 'fenced-write', value?: number): Promise<Operation['output']>
}

async function startHolder(
  port: number,
  { recorder, ttlMs, name }: { recorder: Recorder; ttlMs: number; name: string },
): Promise<Holder> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', client, String(port), String(ttlMs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const ask = async (line: string) => {
    child.stdin.write(`${line}\n`)
    const { value } = await answers.next()
    return (JSON.parse(String(value)) as { output: Operation['output'] }).output
  }
  // Starting takes longer than a lease.
  await ask('ping')
  let token: number | null = null
  return {
    pid: child.pid!,
    async act(type, value = 0) {
      const isAcquire = type === 'acquire'
      const operation = recorder.invoke({
        process: name,
        type,
        key: isAcquire ? 'lock' : type,
        input: isAcquire ? null : { token, value },
        node: null,
      })
      const output = await ask(`${type} ${value}`)
      operation.ok(output)
      if (isAcquire && output !== false) token = (output as { token: number }).token
      return output
    },
  }
}

requires('redis', 'linux')('the usual lock on redis-server', () => {
  it(
    'lets a holder that was paused write after the next one, which fencing alone prevents',
    { timeout: 60_000 },
    async () => {
      const file = join(await temporaryDirectory(), 'history.ndjson')
      const recorder = new Recorder({ file, clock: startClock() })
      const redis = await startRedis()
      const ttlMs = 2_000
      const paused = await startHolder(redis.port, { recorder, ttlMs, name: 'paused' })
      const next = await startHolder(redis.port, { recorder, ttlMs, name: 'next' })

      await paused.act('acquire')
      process.kill(paused.pid, 'SIGSTOP')
      await vi.waitUntil(async () => (await next.act('acquire')) !== false, {
        timeout: 20_000,
        interval: 50,
      })
      await next.act('write', 2)
      await next.act('fenced-write', 2)
      process.kill(paused.pid, 'SIGCONT')
      expect(await paused.act('write', 1)).toBe(true)
      expect(await paused.act('fenced-write', 1)).toBe(false)
      recorder.close()

      const { operations } = await readHistory(file)
      const two = await judged(mutualExclusion(), operations)
      expect(two.anomalies).toMatchObject([
        { type: 'two-holders', explanation: expect.stringContaining('none of them was ever released') },
      ])
      // Redis kept its promise about time: the holder should have known.
      const lease = leaseExclusion({ ttl: ttlMs, clockUncertainty: 100 })
      expect(await judged(lease, operations)).toMatchObject({ valid: true, evidence: { beliefs: 2 } })
      const { anomalies } = await judged(fencingTokens(), operations)
      expect(anomalies.map(({ type }) => type)).toEqual(['stale-token-accepted'])
      const fenced = operations.filter(({ op_type: type }) => type !== 'write')
      expect((await judged(fencingTokens(), fenced)).valid).toBe(true)
    },
  )

  it("is nobody's when somebody else deletes it", { timeout: 60_000 }, async () => {
    const file = join(await temporaryDirectory(), 'history.ndjson')
    const recorder = new Recorder({ file, clock: startClock() })
    const redis = await startRedis()
    const ttlMs = 30_000
    const robbed = await startHolder(redis.port, { recorder, ttlMs, name: 'robbed' })
    const robber = await startHolder(redis.port, { recorder, ttlMs, name: 'robber' })
    await robbed.act('acquire')
    await redis.client.del('lock')
    await robber.act('acquire')
    recorder.close()

    const { operations } = await readHistory(file)
    const lease = leaseExclusion({ ttl: ttlMs, clockUncertainty: 100 })
    const { anomalies } = await judged(lease, operations)
    expect(anomalies.map(({ type }) => type)).toEqual(['overlapping-leases'])
  })
})
