import { expect, it } from 'vitest'
import type { Redis } from 'ioredis'
import { noDuplicates, noLostAck, prefixOrder, totalQueue } from '../../../src/checkers/index.js'
import type { Checker } from '../../../src/checkers/checker.js'
import type { Operation } from '../../../src/history/operation.js'
import { queue } from '../../../src/models/index.js'
import { startRedis } from '../../support/redis.js'
import { requires } from '../../support/requirements.js'
import { operation } from '../operation.js'

/** A queue in a list of Redis, used by one client at a time, and what it answered. */
class RecordedQueue {
  readonly operations: Operation[] = []
  #now = 0

  async enqueue(client: Redis, value: number): Promise<void> {
    await client.lpush('queue', value)
    this.#record({ op_type: 'enqueue', input: value })
  }

  /** Null when the queue was empty. */
  async dequeue(client: Redis): Promise<number | null> {
    const answer = await client.rpop('queue')
    const output = answer === null ? null : Number(answer)
    this.#record({ op_type: 'dequeue', output })
    return output
  }

  #record(given: Pick<Operation, 'op_type'> & Partial<Operation>): void {
    const { length } = this.operations
    this.operations.push(
      operation({ ...given, op_id: length, process_id: 0, at: [this.#now, this.#now + 1] }),
    )
    this.#now += 2
  }
}

/** Five elements, a snapshot, two of them taken, five more, and a server that is killed, started again and drained. */
async function crash(options: readonly string[]): Promise<readonly Operation[]> {
  const before = await startRedis(options)
  const recorded = new RecordedQueue()
  for (let value = 1; value <= 5; value += 1) await recorded.enqueue(before.client, value)
  await before.client.save()
  for (let taken = 0; taken < 2; taken += 1) await recorded.dequeue(before.client)
  for (let value = 6; value <= 10; value += 1) await recorded.enqueue(before.client, value)
  await before.kill()
  const after = await startRedis(options, before.directory)
  while ((await recorded.dequeue(after.client)) !== null);
  return recorded.operations
}

const judge = (checker: Checker, operations: readonly Operation[]) =>
  checker.check({ operations, model: queue(), collected: null, timeoutMs: 1_000 })

requires('redis')('a queue on Redis whose server is killed', () => {
  it('loses acknowledged elements and delivers others again when it only takes snapshots', async () => {
    const operations = await crash([])
    const total = await judge(totalQueue(), operations)
    expect(total).toMatchObject({
      valid: false,
      evidence: { acknowledged: 10, delivered: 7, lost: 5, duplicated: 2, unexpected: 0 },
    })
    expect(await judge(noLostAck(), operations)).toMatchObject({ valid: false, evidence: { lost: 5 } })
    expect(await judge(noDuplicates(), operations)).toMatchObject({
      valid: false,
      evidence: { duplicated: 2 },
    })
    expect(await judge(prefixOrder(), operations)).toMatchObject({ valid: true })
  }, 60_000)

  it('keeps them when it writes each to its log first', async () => {
    const operations = await crash(['--appendonly', 'yes', '--appendfsync', 'always'])
    expect(await judge(totalQueue(), operations)).toMatchObject({ valid: true, evidence: { delivered: 10 } })
    expect(await judge(noLostAck(), operations)).toMatchObject({ valid: true })
  }, 60_000)
})
