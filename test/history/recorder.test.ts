import { existsSync, readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { HarnessError, HistoryError } from '../../src/errors.js'
import { journalFile } from '../../src/history/journal.js'
import { readHistory } from '../../src/history/read.js'
import { Recorder } from '../../src/history/recorder.js'
import { temporaryDirectory } from './temporary.js'

const temporary = temporaryDirectory()
let now: number
let recorder: Recorder

beforeEach(() => {
  now = 1_000
  recorder = new Recorder({ file: temporary.fresh(), clock: { now: () => now, startedAt: '' } })
})

function invoke(process: number, node: string | null = 'n1', type = 'write') {
  return recorder.invoke({ process, type, key: 'x', input: process, node })
}

test('a closed history reads back as what the recorder holds', async () => {
  invoke(0).ok(undefined)
  invoke(1).failed('not leader')
  const slow = invoke(2)
  invoke(3).unknown('timed out')
  invoke(4, null).ok({ value: [1, null] })
  slow.ok(5, 'n3')
  invoke(5)
  recorder.close()
  const { operations, notes } = await readHistory(recorder.file)
  expect(operations).toEqual(recorder.operations())
  expect(notes).toEqual([])
  expect(operations.map((it) => [it.op_id, it.output, it.error, it.timeout_marker, it.node_seen])).toEqual([
    [0, null, null, false, 'n1'],
    [1, null, 'not leader', false, null],
    [2, 5, null, false, 'n3'],
    [3, null, 'timed out', true, null],
    [4, { value: [1, null] }, null, false, null],
    [5, null, 'no answer when the recording ended', true, null],
  ])
  expect(existsSync(journalFile(recorder.file))).toBe(false)
  recorder.close()
})

test('every event has a time of its own, though the clock stands still', () => {
  invoke(0).ok(1)
  invoke(0).ok(2)
  const times = recorder.operations().flatMap((it) => [it.invoke_ts, it.complete_ts])
  expect(times).toEqual([1_000, 1_001, 1_002, 1_003])
})

test('while it records, an invocation is on disk before it is sent and an answer as soon as it is known', async () => {
  const first = invoke(0)
  expect(await readHistory(recorder.file)).toMatchObject({ operations: [{ op_id: 0, timeout_marker: true }] })
  first.ok(7)
  invoke(1)
  const { operations } = await readHistory(recorder.file)
  expect(operations.map((it) => [it.op_id, it.output, it.timeout_marker])).toEqual([
    [0, 7, false],
    [1, null, true],
  ])
  expect(readFileSync(recorder.file, 'utf8').split('\n')).toHaveLength(2)
})

test('an operation carries every window that was open at any moment of it', async () => {
  const before = invoke(0)
  recorder.openWindow('F1')
  const within = invoke(1)
  const across = invoke(2)
  within.ok(1)
  before.ok(1)
  recorder.openWindow('F2')
  expect(recorder.openWindows()).toEqual(['F1', 'F2'])
  recorder.closeWindow('F1')
  invoke(3).ok(1)
  recorder.closeWindow('F2')
  across.ok(1)
  invoke(4).ok(1)
  expect(recorder.operations().map((it) => it.fault_epoch)).toEqual(['F1', 'F1', 'F1+F2', 'F2', null])
  expect(() => recorder.closeWindow('F1')).toThrow(HarnessError)
})

test('activity counts what was aimed at a node since a moment, and the oldest wait', () => {
  invoke(0).ok(1)
  const stuck = invoke(1)
  now = 5_000_000
  invoke(2).ok(1)
  invoke(3).failed('no')
  invoke(4).unknown('lost')
  invoke(5, 'n2').ok(1)
  now = 9_000_000
  expect(recorder.activity('n1', 0)).toEqual({ ok: 2, failed: 1, unknown: 1, oldestWaitMs: 8.998998 })
  expect(recorder.activity('n1', 4_000_000)).toEqual({ ok: 1, failed: 1, unknown: 1, oldestWaitMs: 5 })
  stuck.ok(1)
  expect(recorder.activity('n1', 6_000_000)).toEqual({ ok: 0, failed: 0, unknown: 0, oldestWaitMs: 0 })
  expect(recorder.activity('n9', 0)).toEqual({ ok: 0, failed: 0, unknown: 0, oldestWaitMs: 0 })
  expect(recorder.nodeOf(5)).toBe('n2')
  expect(recorder.nodeOf(99)).toBeNull()
})

describe('contract of those who record', () => {
  test('a late answer is counted and changes nothing', () => {
    const operation = invoke(0)
    operation.unknown('timed out')
    operation.ok(1)
    operation.failed('late')
    expect(recorder.lateAnswers()).toBe(2)
    expect(recorder.operations()[0]).toMatchObject({ error: 'timed out', complete_ts: null })
    const open = invoke(1)
    recorder.close()
    open.ok(1)
    expect(recorder.lateAnswers()).toBe(3)
  })

  test('a second outcome is an error of the harness', () => {
    const operation = invoke(0)
    operation.ok(1)
    expect(() => operation.ok(2)).toThrow('operation 0 ("write") is completed twice')
    expect(() => operation.unknown('x')).toThrow(HarnessError)
  })

  test('a process that is busy or retired may not invoke, nor anybody after the end', () => {
    const operation = invoke(0)
    expect(() => invoke(0)).toThrow('process 0 invokes "write" while its "write" is still in flight')
    operation.unknown('timed out')
    expect(() => invoke(0)).toThrow('process 0 invokes "write", but it is retired')
    recorder.close()
    expect(() => invoke(1)).toThrow('after the recording of')
  })

  test.each<[string, unknown, string]>([
    ['bigint', 1n, 'is a bigint'],
    ['NaN', { a: [Number.NaN] }, '.a[0] is NaN'],
    ['date', { at: new Date(0) }, '.at is a Date'],
    ['undefined in a list', [undefined], '[0] is a undefined'],
  ])('an output that JSON would change is refused: %s', (_, output, message) => {
    const operation = invoke(0, 'n1', 'read')
    expect(() => operation.ok(output)).toThrow(
      `the output of "read"${message.startsWith('is') ? ' ' : ''}${message}`,
    )
    expect(recorder.inFlight()).toBe(1)
  })

  test('two runs never share a file', async () => {
    const { file } = recorder
    invoke(0).ok(1)
    recorder.close()
    expect(() => new Recorder({ file, clock: { now: () => 0, startedAt: '' } })).toThrow(HistoryError)
    expect((await readHistory(file)).notes).toEqual([])
  })
})
