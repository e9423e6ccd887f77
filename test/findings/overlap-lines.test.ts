import { expect, it } from 'vitest'
import { overlapLines } from '../../src/findings/overlap-lines.js'
import { operation } from '../checkers/operation.js'

it('draws operations in order of invocation, each from its invocation to its return', () => {
  const lines = overlapLines([
    operation({ at: [50, 90], op_id: 'r', process_id: 2, op_type: 'read', output: 1 }),
    operation({ at: [10, 20], op_id: 1, process_id: 0, op_type: 'write', key: 'k', input: 1 }),
    operation({ at: [15, 60], op_id: 2, process_id: 1, op_type: 'write', key: 'k', input: 2 }),
    operation({ at: [70, null], op_id: 3, process_id: 0, op_type: 'write', key: 'k', input: 3 }),
  ])
  expect(lines).toEqual([
    '1 process 0: write(key "k", 1)                       |---|',
    '2 process 1: write(key "k", 2)                         |-----|',
    '"r" process 2: read -> 1                                   |-----|',
    '3 process 0: write(key "k", 3) with unknown outcome            |----->',
  ])
})

it('draws nothing of nothing', () => {
  expect(overlapLines([])).toEqual([])
})
