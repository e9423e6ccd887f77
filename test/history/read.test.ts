import { rmSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HistoryError } from '../../src/errors.js'
import { journalFile } from '../../src/history/journal.js'
import type { Operation } from '../../src/history/operation.js'
import { readHistory } from '../../src/history/read.js'
import { operationLine, writeHistory } from '../../src/history/write.js'
import { history } from './arbitraries.js'
import { temporaryDirectory } from './temporary.js'

const temporary = temporaryDirectory()

const answered: Operation = {
  op_id: 1,
  process_id: 0,
  invoke_ts: 10,
  complete_ts: 20,
  op_type: 'write',
  key: 'x',
  input: 1,
  output: null,
  error: null,
  timeout_marker: false,
  node_seen: 'n1',
  fault_epoch: null,
}
const lost: Operation = {
  ...answered,
  complete_ts: null,
  error: 'timed out',
  timeout_marker: true,
  node_seen: null,
}

function lines(...operations: object[]): string {
  return operations.map((operation) => `${JSON.stringify(operation)}\n`).join('')
}

function without(field: keyof Operation): object {
  const { [field]: _, ...rest } = answered
  return rest
}

async function refusal(content: string | Uint8Array, name?: string): Promise<HistoryError & { at: string }> {
  const file = temporary.write(content, name)
  const error = await readHistory(file).then(
    () => expect.fail('the history was accepted'),
    (reason: unknown) => reason,
  )
  if (!(error instanceof HistoryError)) throw error
  expect(error.file).toBe(file)
  return Object.assign(error, { at: error.message.replaceAll(file, 'F') })
}

test('what is written reads back the same, also packed', async () => {
  const file = temporary.fresh()
  await fc.assert(
    fc.asyncProperty(history, async (operations) => {
      await writeHistory(file, operations)
      expect(await readHistory(file)).toEqual({ operations, format: 'native', notes: [], faults: [] })
      const packed = `${file}.gz`
      writeFileSync(packed, gzipSync(operations.map(operationLine).join('')))
      expect((await readHistory(packed)).operations).toEqual(operations)
    }),
    { numRuns: 100 },
  )
})

test('operations come in order of invocation, whatever the order of the file', async () => {
  const later = { ...answered, op_id: 2, process_id: 1, invoke_ts: 11, complete_ts: 12 }
  const { operations } = await readHistory(temporary.write(lines(later, answered)))
  expect(operations.map(({ op_id }) => op_id)).toEqual([1, 2])
})

test('lines longer than a chunk, blank lines, CRLF and a missing last newline are fine', async () => {
  const long = { ...answered, input: 'ä'.repeat(200_000) }
  const second = { ...answered, op_id: 2, invoke_ts: 30, complete_ts: 31 }
  const file = temporary.write(`\r\n${JSON.stringify(long)}\r\n\n${JSON.stringify(second)}`)
  expect((await readHistory(file)).operations).toEqual([long, second])
})

describe('refuses, with file and line', () => {
  test.each<[string, string, string | Uint8Array, string]>([
    ['an empty file', 'empty', '', 'F: the history holds no operation, so there is nothing to judge'],
    [
      'a file of blank lines',
      'empty',
      '\n\n',
      'F: the history holds no operation, so there is nothing to judge',
    ],
    [
      'a cut-off file',
      'truncated',
      lines(answered) + operationLine({ ...answered, op_id: 2 }).slice(0, 50),
      'F:2: the last line ends in the middle of a JSON object: the file is cut off',
    ],
    ['text', 'not-json', 'hello world\nand more\n', 'F:1: expected one JSON object, found "hello world"'],
    ['JSON of something else', 'unknown-format', '{"a":1}\n', 'F:1: expected an operation with "op_id"'],
    ['a JSON array', 'unknown-format', '[1]\n', 'found an array'],
    [
      'a mistake in a later line',
      'not-json',
      `${lines(answered)}{"op_id":}\n`,
      'F:2: expected one JSON object',
    ],
    ['NUL bytes', 'binary', Uint8Array.of(0x7b, 0, 1, 2), 'F:1: a NUL byte found'],
    [
      'bytes that are not UTF-8',
      'binary',
      Uint8Array.of(0x7b, 0xff, 0xfe, 10),
      'F:1: bytes that are not UTF-8',
    ],
    ['a packed file without .gz', 'binary', gzipSync(lines(answered)), 'F:1: '],
    ['an unknown field', 'unknown-field', lines({ ...answered, extra: 1 }), 'F:1: unknown field "extra"'],
    ['a missing field', 'missing-field', lines(without('node_seen')), 'F:1: field "node_seen" is missing'],
    ['a missing input', 'missing-field', lines(without('input')), 'F:1: field "input" is missing'],
    [
      'a wrong type',
      'wrong-type',
      lines(answered, { ...answered, invoke_ts: 1.5 }),
      `F:2: field "invoke_ts" is the number 1.5; expected integer nanoseconds from the run's start`,
    ],
    ['a line that is no object', 'wrong-type', `${lines(answered)}7\n`, 'F:2: expected one operation'],
    [
      'an operation that completes before it is invoked',
      'completes-before-invoked',
      lines({ ...answered, complete_ts: 9 }),
      'F:1: operation 1 completes at 9, before it is invoked at 10',
    ],
    [
      'an id used twice',
      'duplicate-id',
      lines(answered, { ...answered, invoke_ts: 30, complete_ts: 40, output: 5 }),
      'F:2: operation id 1 is used twice: a recorder error',
    ],
    [
      'a process with two operations in flight',
      'invoked-twice',
      lines(answered, { ...answered, op_id: 2, invoke_ts: 15 }),
      'F:2: process 0 invokes operation 2 while its operation 1 is still in flight',
    ],
    [
      'an unknown outcome without marker',
      'inconsistent-outcome',
      lines({ ...lost, timeout_marker: false }),
      'F:1:',
    ],
    ['an unknown outcome with output', 'inconsistent-outcome', lines({ ...lost, output: 1 }), 'F:1:'],
    [
      'a known outcome with marker',
      'inconsistent-outcome',
      lines({ ...answered, timeout_marker: true }),
      'F:1:',
    ],
  ])('%s: %s', async (_, code, content, message) => {
    const error = await refusal(content)
    expect(error.code).toBe(code)
    expect(error.at).toContain(message)
    expect(error.message.split('\n  -> ')[0]).not.toContain('\n')
  })

  test('a file that is not there, a directory, a broken gzip stream', async () => {
    await expect(readHistory(temporary.fresh())).rejects.toMatchObject({ code: 'unreadable' })
    await expect(readHistory(import.meta.dirname)).rejects.toMatchObject({ code: 'unreadable' })
    await expect(readHistory(temporary.fresh('h.gz'))).rejects.toMatchObject({ code: 'unreadable' })
    const packed = gzipSync(lines(answered))
    expect((await refusal(packed.subarray(0, packed.length - 12), 'h.gz')).code).toBe('truncated')
    expect((await refusal('not gzip', 'h.gz')).code).toBe('binary')
  })

  test('but an empty history is read where it is expected', async () => {
    expect((await readHistory(temporary.write(''), { allowEmpty: true })).operations).toEqual([])
  })
})

describe('beside the sidecar of a killed recorder', () => {
  const open = { ...lost, op_id: 2, process_id: 1, invoke_ts: 12, error: 'no answer yet' }

  async function recovered(content: string, journal: string) {
    const file = temporary.write(content)
    writeFileSync(journalFile(file), journal)
    const { operations, notes } = await readHistory(file)
    rmSync(journalFile(file))
    return { operations, notes: notes.map((note) => note.replaceAll(file, 'F')) }
  }

  test('what was invoked and not completed becomes unknown, with every window it met', async () => {
    const journal = lines(
      { openWindow: 'F1' },
      { closeWindow: 'F1' },
      { openWindow: 'F2' },
      { invoke: { ...lost, op_id: 1 } },
      { invoke: open },
      { closeWindow: 'F2' },
      { openWindow: 'F3' },
    )
    const { operations, notes } = await recovered(lines(answered), journal)
    expect(operations).toEqual([
      answered,
      { ...open, error: 'the recorder ended before an answer came', fault_epoch: 'F2+F3' },
    ])
    expect(notes).toEqual(['the recorder was killed: 1 unanswered operations were taken from F.open'])
  })

  test('a torn last line is left out and its operation is unknown', async () => {
    const journal = lines({ invoke: { ...lost, op_id: 1 } }, { invoke: open }) + '{"invoke":{"op_id":3,'
    const { operations, notes } = await recovered(operationLine(answered).slice(0, 40), journal)
    expect(operations.map((it) => [it.op_id, it.timeout_marker])).toEqual([
      [1, true],
      [2, true],
    ])
    expect(notes).toHaveLength(3)
    expect(notes[0]).toContain('F:1: the last line is torn')
    expect(notes[1]).toContain('F.open:3: the last line is torn')
  })

  test('a damaged sidecar is refused', async () => {
    await expect(recovered(lines(answered), lines({ invoke: 5 }))).rejects.toMatchObject({
      code: 'wrong-type',
      line: 1,
    })
  })
})
