import { expect, test } from 'vitest'
import { columnsOf } from '../../src/history/columns-builder.js'
import { outcomeOf } from '../../src/history/operation.js'
import { readColumns, readHistory } from '../../src/history/read.js'
import { temporaryDirectory } from './temporary.js'

const temporary = temporaryDirectory()

function read(...events: object[]) {
  return readHistory(temporary.write(events.map((event) => `${JSON.stringify(event)}\n`).join('')))
}

const invoke = { process: 0, type: 'invoke', f: 'write', key: 'x', value: 1 }
const ok = { ...invoke, type: 'ok' }

test('pairs events into operations, ids and times being positions', async () => {
  const { operations, format, notes } = await read(
    invoke,
    { process: 1, type: 'invoke', f: 'read', key: 'x', value: null },
    { process: 'nemesis', type: 'info', f: 'kill', value: 'n1' },
    ok,
    { process: 1, type: 'ok', f: 'read', key: 'x', value: 1, node: 'n2' },
  )
  expect(format).toBe('jepsen')
  expect(notes).toEqual(['1 nemesis events were left out'])
  const common = { key: 'x', error: null, timeout_marker: false, fault_epoch: null }
  expect(operations).toEqual([
    {
      ...common,
      op_id: 0,
      process_id: 0,
      invoke_ts: 0,
      complete_ts: 3,
      op_type: 'write',
      input: 1,
      output: 1,
      node_seen: null,
    },
    {
      ...common,
      op_id: 1,
      process_id: 1,
      invoke_ts: 1,
      complete_ts: 4,
      op_type: 'read',
      input: null,
      output: 1,
      node_seen: 'n2',
    },
  ])
})

test('operations without a process come one after another, each of a process of its own', async () => {
  const unnamed = (type: string, value: number) => ({ process: null, time: null, type, f: 'write', value })
  const { operations } = await read(
    unnamed('invoke', 1),
    { ...invoke, process: 1 },
    unnamed('ok', 1),
    unnamed('invoke', 2),
    { ...ok, process: 1 },
    unnamed('info', 2),
    unnamed('invoke', 3),
  )
  expect(operations.map(({ input, process_id: process }) => [input, process])).toEqual([
    [1, 'unnamed-0'],
    [1, 1],
    [2, 'unnamed-3'],
    [3, 'unnamed-6'],
  ])
  expect(operations.map(outcomeOf)).toEqual(['ok', 'ok', 'unknown', 'unknown'])
})

test('fail is failed; info and no completion are unknown', async () => {
  const { operations } = await read(
    invoke,
    { ...ok, type: 'fail', error: ['not', 'leader'] },
    { ...invoke, process: 1 },
    { ...ok, process: 1, type: 'fail' },
    { ...invoke, process: 2 },
    { ...ok, process: 2, type: 'info', error: 'timed-out' },
    { ...invoke, process: 'left' },
  )
  expect(operations.map((it) => [outcomeOf(it), it.error, it.timeout_marker, it.output])).toEqual([
    ['failed', '["not","leader"]', false, null],
    ['failed', 'failed', false, null],
    ['unknown', 'timed-out', true, null],
    ['unknown', 'no completion was recorded', true, null],
  ])
})

test('takes times that tell the order of the events', async () => {
  const { operations, notes } = await read({ ...invoke, time: 5 }, { ...ok, time: 70 })
  expect(operations[0]).toMatchObject({ op_id: 0, invoke_ts: 5, complete_ts: 70 })
  expect(notes).toEqual([])
})

test('knows the order of events without times', async () => {
  const events = [
    { process: 0, type: 'invoke', f: 'write', value: 1 },
    { process: 1, type: 'invoke', f: 'write', value: 2 },
    { process: 'nemesis', type: 'info', f: 'split' },
    { process: 1, type: 'ok', f: 'write', value: 2 },
    { process: 2, type: 'invoke', f: 'read' },
    { process: 0, type: 'info', f: 'write', value: 1 },
    { process: 2, type: 'fail', f: 'read' },
    { process: 3, type: 'invoke', f: 'read' },
  ]
  const file = temporary.write(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
  const { columns } = await readColumns(file)
  expect([...columns.events]).toEqual([1, 2, -2, 3, -3, 4])
  const operations = Array.from({ length: columns.count }, (_, index) => columns.operationAt(index))
  expect(columnsOf(operations).events).toEqual(columns.events)
})

test('takes times that events share, but not with an invocation after a return', async () => {
  const other = { ...invoke, process: 1 }
  const shared = await read(
    { ...invoke, time: 5 },
    { ...other, time: 5 },
    { ...ok, time: 5 },
    { ...ok, process: 1, time: 9 },
  )
  expect(shared.operations.map(({ invoke_ts: at, complete_ts: end }) => [at, end])).toEqual([
    [5, 5],
    [5, 9],
  ])
  const touching = await read({ ...invoke, time: 5 }, { ...ok, time: 7 }, { ...other, time: 7 })
  expect(touching.operations.map(({ invoke_ts: at }) => at)).toEqual([0, 2])
  expect(touching.notes.join()).toContain('the order of the events is used as time')
})

test.each([
  ['going back', [5, 4]],
  ['fractional', [5, 6.5]],
  ['partly missing', [5, null]],
  ['negative', [-5, 6]],
])('takes positions instead of times that are %s', async (_, [first, second]) => {
  const { operations, notes } = await read({ ...invoke, time: first }, { ...ok, time: second })
  expect(operations[0]).toMatchObject({ invoke_ts: 0, complete_ts: 1 })
  expect(notes.join()).toContain('the order of the events is used as time')
})

test.each<[string, number, object[], string]>([
  [
    'completion-without-invocation',
    1,
    [ok],
    '"ok" of "write" by process 0, which has no operation in flight',
  ],
  ['completion-without-invocation', 3, [invoke, ok, ok], 'has no operation in flight'],
  [
    'invoked-twice',
    2,
    [invoke, { ...invoke, f: 'read' }],
    'invokes "read" while its "write" (event 0) is still in flight',
  ],
  ['mismatched-completion', 2, [invoke, { ...ok, f: 'read' }], 'but "read" on key "x" completes'],
  ['mismatched-completion', 2, [invoke, { ...ok, key: 'y' }], 'but "write" on key "y" completes'],
  [
    'wrong-type',
    1,
    [{ ...invoke, type: 'start' }],
    'field "type" is the string "start"; expected "invoke", "ok"',
  ],
  ['wrong-type', 1, [{ ...invoke, process: true }], 'expected an integer, a name or null'],
  ['missing-field', 1, [{ type: 'invoke', f: 'write' }], 'field "process" is missing'],
  [
    'invoked-twice',
    2,
    [
      { ...invoke, process: null },
      { ...invoke, process: null },
    ],
    'no completion can be told from the other',
  ],
  ['completion-without-invocation', 1, [{ ...ok, process: null }], 'has no operation in flight'],
  ['missing-field', 2, [invoke, { process: 1, type: 'invoke' }], 'field "f" is missing'],
  ['wrong-type', 2, [invoke, [1]], 'expected one event as a JSON object, found an array'],
])('%s at line %i', async (code, line, events, message) => {
  await expect(read(...events)).rejects.toMatchObject({
    code,
    line,
    message: expect.stringContaining(message),
  })
})

test('only nemesis events make an empty history', async () => {
  await expect(read({ process: 'nemesis', type: 'info', f: 'kill' })).rejects.toMatchObject({ code: 'empty' })
})
