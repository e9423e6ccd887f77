import { expect, test } from 'vitest'
import type { Operation } from '../../src/history/operation.js'
import { weaknesses } from '../../src/history/weakness.js'

const ok: Operation = {
  op_id: 1,
  process_id: 0,
  invoke_ts: 10,
  complete_ts: 20,
  op_type: 'read',
  key: 'k',
  input: null,
  output: 1,
  error: null,
  timeout_marker: false,
  node_seen: 'n1',
  fault_epoch: null,
}
const failed: Operation = { ...ok, output: null, error: 'refused', node_seen: null }
const unknown: Operation = {
  ...ok,
  complete_ts: null,
  output: null,
  error: 'no answer',
  timeout_marker: true,
  node_seen: null,
}

test('a history that has what its checkers need is not weak', () => {
  expect(weaknesses([ok, failed, unknown], ['node_seen', 'key', 'output'], [])).toEqual([])
})

test('every ok operation must name the node that answered when a checker needs it', () => {
  const anonymous = { ...ok, node_seen: null }
  expect(weaknesses([ok, anonymous], ['node_seen'], [])).toEqual(['1 of 2 operations have no node_seen'])
  expect(weaknesses([ok, anonymous], [], [])).toEqual([])
})

test('a field of which null is a legal value is missing only when every operation lacks it', () => {
  const empty = { ...ok, output: null }
  expect(weaknesses([ok, empty], ['output'], [])).toEqual([])
  expect(weaknesses([empty], ['output'], [])).toEqual(['1 of 1 operations have no output'])
})

test('an unanswered operation needs its timeout marker', () => {
  expect(weaknesses([ok, { ...unknown, timeout_marker: false }], [], [])).toEqual([
    '1 unanswered operations have no timeout_marker',
  ])
})

test('an operation that overlapped a fault window needs its epoch', () => {
  const window = { start: 15, end: 30 }
  expect(weaknesses([ok], [], [window])).toEqual([
    '1 operations overlapped a fault window and have no fault_epoch',
  ])
  expect(weaknesses([{ ...ok, fault_epoch: 'F1' }], [], [window])).toEqual([])
  expect(weaknesses([ok], [], [{ start: 21, end: 30 }])).toEqual([])
})

test('an unanswered operation met only the windows in which it was invoked', () => {
  const lost = [ok, { ...unknown, invoke_ts: 40 }]
  expect(weaknesses(lost, [], [{ start: 30, end: 39 }])).toEqual([])
  expect(weaknesses(lost, [], [{ start: 41, end: null }])).toEqual([])
  expect(weaknesses(lost, [], [{ start: 40, end: 50 }])).toHaveLength(1)
})

test('a history without an answer shows nothing', () => {
  expect(weaknesses([failed, unknown], [], [])).toEqual([
    'none of 2 operations was answered; the first said: refused',
  ])
})
