import { describe, expect, it } from 'vitest'
import { advise } from '../../src/checkers/advice.js'
import { columnsOf } from '../../src/history/columns-builder.js'
import type { Operation } from '../../src/history/operation.js'
import { casRegister, counter, queue, register } from '../../src/models/index.js'
import type { Model } from '../../src/models/index.js'
import { operation } from './operation.js'

const adviceOn = (operations: readonly Operation[], model: Model = register()) =>
  advise(columnsOf(operations), model)
const write = (id: number, value: number, key = 'x') =>
  operation({ op_id: id, process_id: id, op_type: 'write', input: value, key, at: [id * 10, id * 10 + 1] })
const read = (id: number, value: number) =>
  operation({
    op_id: id,
    process_id: id,
    op_type: 'read',
    output: value,
    key: 'x',
    at: [id * 10, id * 10 + 1],
  })

describe('advise', () => {
  it('has nothing to say of a history without these weaknesses', () => {
    expect(adviceOn([write(1, 1), write(2, 2), write(3, 1, 'y'), read(4, 2)])).toEqual([])
    expect(adviceOn([])).toEqual([])
  })

  it('counts values that were written to a key before, where values tell operations apart', () => {
    expect(adviceOn([write(1, 1), write(2, 2), write(3, 1)])).toEqual([
      expect.stringContaining(
        '1 of 3 written values had been written to their key before (first by operation 3)',
      ),
    ])
    const enqueue = (id: number) => operation({ op_id: id, op_type: 'enqueue', input: 7, at: [id, id + 1] })
    expect(adviceOn([enqueue(1), enqueue(5)], queue())).toHaveLength(1)
    const add = (id: number) => operation({ op_id: id, op_type: 'add', input: 1, at: [id, id + 1] })
    expect(adviceOn([add(1), add(5)], counter())).toEqual([])
  })

  it('names processes that went on after an unknown outcome', () => {
    const lost = { ...write(1, 1), process_id: 'p', complete_ts: null, timeout_marker: true }
    expect(adviceOn([lost, { ...write(2, 2), process_id: 'p' }])).toEqual([
      expect.stringContaining('1 processes went on after an operation of unknown outcome (first "p")'),
    ])
    expect(adviceOn([lost, { ...write(2, 2), process_id: 'q' }])).toEqual([])
  })

  it('asks for what refused compare-and-sets met', () => {
    const cas = { op_type: 'cas', key: 'x', input: [1, 2] }
    const refused = operation({ ...cas, at: [0, 1], output: false })
    const failed = operation({ ...cas, at: [2, 3], error: 'mismatch' })
    const applied = operation({ ...cas, at: [4, 5], output: true })
    expect(adviceOn([refused, failed, applied], casRegister())).toEqual([
      expect.stringContaining('2 refused compare-and-sets'),
    ])
  })

  it('asks whether a write marked failed was a timeout when its value was read', () => {
    const failed = { ...write(1, 5), error: 'ETIMEDOUT' }
    expect(adviceOn([failed, read(2, 5)])).toEqual([
      'operation 2 saw 5, which only operation 1 wrote, and that is recorded as failed (ETIMEDOUT): was that a timeout? ' +
        'Then record its outcome as unknown',
    ])
    expect(adviceOn([failed, write(3, 5), read(4, 5)])).toEqual([])
  })

  it('does not stumble over a failed operation that the model cannot read', () => {
    const odd = operation({ op_type: 'cas', input: 'no pair', at: [0, 1], key: 'x', error: 'bad request' })
    expect(adviceOn([odd, read(2, 1)], casRegister())).toHaveLength(1)
  })
})
