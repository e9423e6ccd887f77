import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { totalQueue, type TotalQueueOptions } from '../../../src/checkers/queues/total-queue.js'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { queue } from '../../../src/models/index.js'
import { randomHistories } from '../../support/random-histories.js'
import { operation } from '../operation.js'
import { totalQueueOf } from './brute-force.js'
import { randomQueue } from './random-queue.js'

const judge = (operations: readonly Operation[], options: TotalQueueOptions = {}) =>
  totalQueue(options).check({ operations, model: queue(), collected: null, timeoutMs: 1_000 })

const enqueue = (id: number, input: Json, at: [number, number | null]) =>
  operation({ op_id: id, process_id: 0, op_type: 'enqueue', input, at })
const dequeue = (id: number, output: Json, at: [number, number | null]) =>
  operation({ op_id: id, process_id: 1, op_type: 'dequeue', output, at })

describe('totalQueue', () => {
  const one = enqueue(1, 'a', [0, 1])
  const two = enqueue(2, 'b', [2, 3])

  it.each<[string, readonly Operation[], boolean | 'unknown', Record<string, number>]>([
    ['all out', [one, two, dequeue(3, 'b', [4, 5]), dequeue(4, 'a', [6, 7])], true, { delivered: 2 }],
    ['one lost', [one, two, dequeue(3, 'a', [4, 5]), dequeue(4, null, [6, 7])], false, { lost: 1 }],
    ['one lost, if drained', [one, two, dequeue(3, 'a', [4, 5])], 'unknown', { lost: 0 }],
    ['empty too early', [one, dequeue(3, null, [2, 5]), two, dequeue(4, 'a', [6, 7])], 'unknown', {}],
    [
      'not empty after all',
      [one, two, dequeue(3, null, [4, 5]), dequeue(4, 'a', [6, 7])],
      'unknown',
      { lost: 0 },
    ],
    [
      'perhaps taken',
      [one, dequeue(3, null, [4, null]), dequeue(4, null, [6, 7])],
      'unknown',
      { unanswered: 1 },
    ],
    [
      'taken too late',
      [one, dequeue(4, null, [6, 7]), dequeue(5, null, [8, null])],
      false,
      { lost: 1, unanswered: 1 },
    ],
    ['twice', [one, dequeue(3, 'a', [4, 5]), dequeue(4, 'a', [6, 7])], false, { duplicated: 1 }],
    ['from nowhere', [one, dequeue(3, 'a', [4, 5]), dequeue(4, 'z', [6, 7])], false, { unexpected: 1 }],
    ['before it was put in', [dequeue(3, 'a', [0, 1]), enqueue(4, 'a', [2, 3])], false, { unexpected: 1 }],
    [
      'recovered',
      [enqueue(1, 'a', [0, null]), dequeue(3, 'a', [4, 5]), dequeue(4, null, [6, 7])],
      true,
      { recovered: 1 },
    ],
    ['unknown and gone', [one, enqueue(2, 'b', [0, null]), dequeue(3, 'a', [4, 5])], true, {}],
    ['nothing', [], 'unknown', { delivered: 0 }],
    ['only unknown', [enqueue(1, 'a', [0, null]), dequeue(2, null, [0, null])], 'unknown', {}],
    [
      'drained',
      [one, two, operation({ op_id: 3, op_type: 'drain', output: ['b', 'a'], at: [4, 5] })],
      true,
      { delivered: 2 },
    ],
    [
      'lost at a drain',
      [one, two, operation({ op_id: 3, op_type: 'drain', output: ['b'], at: [4, 5] })],
      false,
      { lost: 1 },
    ],
    [
      'an unanswered drain',
      [one, two, operation({ op_id: 3, op_type: 'drain', at: [4, null] }), dequeue(5, null, [6, 7])],
      'unknown',
      { lost: 0 },
    ],
    [
      'empty by failure',
      [one, { ...dequeue(5, null, [6, 7]), error: 'the queue is empty' }],
      false,
      { lost: 1 },
    ],
  ])('%s', async (_, operations, valid, evidence) => {
    expect(await judge(operations)).toMatchObject({ valid, evidence })
  })

  it('takes the option for the drain', async () => {
    expect(await judge([one, two, dequeue(3, 'a', [4, 5])], { drained: true })).toMatchObject({
      valid: false,
      anomalies: [{ type: 'lost-acknowledged-element', operations: [2] }],
    })
  })

  it('allows duplicates when asked to, and counts them', async () => {
    const operations = [one, dequeue(3, 'a', [4, 5]), dequeue(4, 'a', [6, 7])]
    const result = await judge(operations, { duplicates: 'allowed' })
    expect(result).toMatchObject({ valid: true, evidence: { duplicated: 1 } })
  })

  it('explains, and asks about a failed put', async () => {
    const failed = { ...enqueue(7, 'z', [0, 1]), error: 'ECONNRESET' }
    const found = await judge([one, failed, dequeue(3, 'z', [4, 5]), dequeue(4, null, [6, 7])])
    expect(found.anomalies.map(({ explanation }) => explanation)).toEqual([
      'enqueue("a") by process 0 (operation 1) was acknowledged and its element never came out, although ' +
        'dequeue() by process 1 (operation 4) found the queue empty after every acknowledged element had been put in',
      'dequeue() by process 1 (operation 3) answered "z", and the only enqueue of it, operation 7, is recorded as ' +
        'failed: was that a timeout?',
    ])
  })

  it('refuses wrong options', () => {
    expect(() => totalQueue({ drained: 1 as never })).toThrow(/totalQueue\(\).*drained/s)
  })

  it('agrees with the definition on random small histories, and so do its counterexamples', async () => {
    const seen = { true: 0, false: 0, unknown: 0 }
    await fc.assert(
      fc.asyncProperty(randomQueue(), async (operations) => {
        const expected = totalQueueOf(operations)
        const { valid, anomalies } = await judge(operations)
        expect(valid).toBe(expected)
        seen[`${expected}`] += 1
        for (const anomaly of anomalies) {
          const core = operations.filter(({ op_id: id }) => anomaly.operations.includes(id))
          expect(core.length).toBe(anomaly.operations.length)
          expect(totalQueueOf(core)).toBe(false)
        }
      }),
      { numRuns: randomHistories(1_000) },
    )
    const share = (count: number) => count / (seen.true + seen.false + seen.unknown)
    expect(share(seen.true), JSON.stringify(seen)).toBeGreaterThan(0.1)
    expect(share(seen.false), JSON.stringify(seen)).toBeGreaterThan(0.1)
  }, 600_000)
})
