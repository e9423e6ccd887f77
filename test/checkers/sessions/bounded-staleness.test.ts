import { describe, expect, it } from 'vitest'
import { boundedStaleness } from '../../../src/checkers/sessions/bounded-staleness.js'
import { DeclarationError } from '../../../src/errors.js'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { session } from '../../../src/models/session.js'
import { operation } from '../operation.js'

const millisecond = 1e6

/** Times are in milliseconds; an operation without an end has outcome unknown. */
const write = (value: Json, begin: number, end: number | null, output: Json = null) =>
  operation({ op_type: 'write', key: 'x', input: value, output, at: times(begin, end) })
const read = (output: Json, begin: number) =>
  operation({ op_type: 'read', key: 'x', output, at: times(begin, begin + 1) })

function times(begin: number, end: number | null): [number, number | null] {
  return [begin * millisecond, end === null ? null : end * millisecond]
}

async function judge(options: Parameters<typeof boundedStaleness>[0], operations: readonly Operation[]) {
  const given = { operations, model: session(), collected: null, timeoutMs: 1_000 }
  return boundedStaleness(options).check(given)
}

type Case = readonly [title: string, operations: readonly Operation[], within: boolean | 'unknown']

const byTime: readonly Case[] = [
  ['nothing', [], 'unknown'],
  ['an old value that is young enough', [write(1, 0, 1), write(2, 2, 3), read(1, 502)], true],
  ['an old value at the bound', [write(1, 0, 1), write(2, 2, 3), read(1, 503)], false],
  ['the initial state after a write', [write(1, 0, 1), read(null, 501)], false],
  ['either of two writes that overlap', [write(1, 0, 9), write(2, 5, 12), read(1, 900)], true],
  [
    'both of two writes that overlap, long after',
    [write(1, 0, 9), write(2, 5, 12), read(1, 900), read(2, 910)],
    false,
  ],
  ['a write of unknown outcome that is missed', [write(1, 0, 1), write(2, 2, null), read(1, 900)], true],
  ['a write of unknown outcome that is seen', [write(1, 0, null), write(2, 2, 3), read(1, 900)], true],
  [
    'a write of unknown outcome that had been seen before the missed one began',
    [write(1, 0, null), read(1, 1), write(2, 3, 4), read(1, 900)],
    false,
  ],
  ['a value that nobody wrote', [write(1, 0, 1), read(9, 900)], 'unknown'],
  [
    'a value that was written twice',
    [write(1, 0, 1), write(2, 2, 3), write(1, 4, 5), read(1, 900)],
    'unknown',
  ],
  [
    'an old value by its version, whose write answered last',
    [write(1, 0, 9, { version: 1 }), write(2, 1, 2, { version: 2 }), read({ value: 1, version: 1 }, 900)],
    false,
  ],
  [
    'the newest version, whose write began first',
    [write(1, 0, 1, { version: 2 }), write(2, 2, 3, { version: 1 }), read({ value: 1, version: 2 }, 900)],
    true,
  ],
]

describe('bounded staleness', () => {
  it.each(byTime)('within 500 ms: %s', async (_, operations, valid) => {
    expect((await judge({ within: '500ms' }, operations)).valid).toBe(valid)
  })

  it('by versions counts what had been acknowledged before the read began', async () => {
    const writes = [1, 2, 3, 4].map((value) => write(value, value * 10, value * 10 + 5))
    expect((await judge({ versions: 2 }, [...writes, read(2, 60)])).valid).toBe(true)
    expect((await judge({ versions: 2 }, [...writes, read(1, 60)])).valid).toBe(false)
    expect((await judge({ versions: 2 }, [...writes, read(1, 43)])).valid).toBe(true)
    expect((await judge({ versions: 2 }, [...writes, read(null, 60)])).valid).toBe(false)
  })

  it('leaves open which of many overlapping writes came last', async () => {
    const writes = [1, 2, 3, 4].map((value) => write(value, value, 50 - value))
    const reads = [1, 2, 3, 4].map((value) => read(value, 60 + value))
    const { valid, reason } = await judge({ versions: 1 }, [...writes, ...reads])
    expect(valid).toBe('unknown')
    expect(reason).toContain('let operations answer { value, version }')
  })

  it('tells what was missed', async () => {
    const operations = [write(1, 0, 1), write(2, 2, 3), read(1, 600)]
    const { anomalies } = await judge({ within: '500ms' }, operations)
    expect(anomalies).toHaveLength(1)
    expect(anomalies[0]!.operations).toEqual(operations.map(({ op_id: id }) => id))
    expect(anomalies[0]!.explanation).toMatch(
      /^read\(\) on "x" .* showed 1 and missed write\(2\) .*, acknowledged 597 ms before it began$/,
    )
  })

  it.each([{}, { within: '5 parsecs' }, { versions: -1 }, { within: '1s', versions: 2 }])(
    'refuses %j and shows an example',
    (options) => {
      expect(() => boundedStaleness(options as never)).toThrow(DeclarationError)
    },
  )
})
