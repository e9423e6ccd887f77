import { describe, expect, it } from 'vitest'
import type { Checker } from '../../../src/checkers/checker.js'
import {
  monotonicReads,
  monotonicWrites,
  readYourWrites,
  sessionConsistency,
  writesFollowReads,
} from '../../../src/checkers/sessions/session-guarantees.js'
import { DeclarationError, HarnessError } from '../../../src/errors.js'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { session } from '../../../src/models/session.js'
import { operation } from '../operation.js'

const checkers = {
  ryw: readYourWrites(),
  mr: monotonicReads(),
  mw: monotonicWrites(),
  wfr: writesFollowReads(),
  all: sessionConsistency(),
}

/** `p1 w x 5` or `p1 r x 5`, with `@2` for the version, `?` for an unknown outcome, `!` for a failure; in order. */
function history(...lines: string[]): Operation[] {
  return lines.map((line, index) => {
    const [, process, what, key, value, version, mark] = /^p(\d+) ([wr]) (\w+) (\w+)(?:@(\w+))?([?!])?$/.exec(
      line,
    )!
    const json: Json = value === 'null' ? null : Number(value)
    const at = index * 10
    const output: Json =
      version === undefined ? (what === 'w' ? null : json) : { value: json, version: asVersion(version) }
    return {
      ...operation({ op_type: what === 'w' ? 'write' : 'read', at: [at, mark === '?' ? null : at + 5] }),
      op_id: index,
      process_id: Number(process),
      key: key!,
      input: what === 'w' ? json : null,
      output: mark === undefined ? output : null,
      error: mark === undefined ? null : mark === '?' ? 'timeout' : 'refused',
    }
  })
}

function asVersion(text: string): Json {
  return /^\d{1,15}$/.test(text) ? Number(text) : text
}

function check(checker: Checker, operations: readonly Operation[]) {
  return checker.check({ operations, model: session(), collected: null, timeoutMs: 1_000 })
}

type Answer = boolean | 'unknown'
type Case = readonly [
  title: string,
  lines: readonly string[],
  answers: { readonly [checker in keyof typeof checkers]?: Answer },
]

const cases: readonly Case[] = [
  ['nothing at all', [], { ryw: 'unknown', mr: 'unknown', mw: 'unknown', wfr: 'unknown', all: 'unknown' }],
  [
    'only unknown outcomes',
    ['p1 w x 1?', 'p2 r x 1?'],
    { ryw: true, mr: true, mw: true, wfr: true, all: true },
  ],
  [
    'a session that does not see its own write',
    ['p2 w x 10@1', 'p1 w x 7@2', 'p1 r x 10@1'],
    { ryw: false, mr: true, mw: true, wfr: true, all: false },
  ],
  [
    'a session that reads the initial state after its write',
    ['p1 w x 7', 'p1 r x null'],
    { ryw: false, mr: true, all: false },
  ],
  [
    'another session may be behind',
    ['p1 w x 7@1', 'p2 r x null', 'p2 r x 7@1'],
    { ryw: true, mr: true, mw: true, wfr: true, all: true },
  ],
  [
    'a session that sees a later write than its own',
    ['p1 w x 7@1', 'p2 w x 8@2', 'p1 r x 8@2'],
    { ryw: true, all: true },
  ],
  [
    'a session that goes back',
    ['p1 w x 1@1', 'p1 w x 2@2', 'p2 r x 2@2', 'p2 r x 1@1'],
    { ryw: true, mr: false, mw: true, wfr: true, all: false },
  ],
  [
    'a session that goes back, without versions',
    ['p1 w x 1', 'p2 w x 2', 'p3 r x 1', 'p3 r x 2', 'p3 r x 1'],
    { ryw: true, mr: false, all: false },
  ],
  [
    'two sessions that see two writes in opposite orders',
    ['p1 w x 1', 'p2 w x 2', 'p3 r x 1', 'p3 r x 2', 'p4 r x 2', 'p4 r x 1'],
    { mr: false, all: false },
  ],
  [
    'the writes of a session in the wrong order',
    ['p1 w x 1@2', 'p1 w x 2@1'],
    { ryw: true, mr: true, mw: false, wfr: true, all: false },
  ],
  [
    'the writes of two sessions across two keys, which no order fits',
    ['p1 w x 1@2', 'p1 w y 1@1', 'p2 w y 2@2', 'p2 w x 2@1'],
    { ryw: true, mr: true, mw: false, wfr: true, all: false },
  ],
  [
    'a write put before what its session had read',
    ['p1 w x 1@2', 'p2 r x 1@2', 'p2 w x 2@1'],
    { ryw: true, mr: true, mw: true, wfr: false, all: false },
  ],
  [
    'the order of another session, told by all guarantees together only',
    ['p1 w x 1', 'p1 w x 2', 'p2 r x 2', 'p2 r x 1'],
    { mr: true, mw: 'unknown', wfr: true, all: false },
  ],
  [
    'a late write of unknown outcome, which its session need not see',
    ['p1 w x 1@1', 'p1 w x 2?', 'p1 r x 1@1', 'p2 r x 2@2', 'p2 r x 2@2'],
    { ryw: true, mr: true, all: true },
  ],
  ['a failed write, which is not there', ['p1 w x 1@1', 'p1 w x 2!', 'p1 r x 1@1'], { ryw: true, all: true }],
  ['a value that nobody wrote', ['p1 w x 1', 'p1 r x 9'], { ryw: 'unknown', mr: true, all: 'unknown' }],
  [
    'a value that was written twice',
    ['p1 w x 1', 'p2 w x 2', 'p2 w x 1', 'p1 r x 1'],
    { ryw: 'unknown', mr: true, all: 'unknown' },
  ],
  [
    'versions beyond the numbers that are exact',
    ['p1 w x 1@9007199254740993', 'p1 r x 1@9007199254740992'],
    { ryw: false, all: false },
  ],
  ['versions that are text', ['p1 w x 1@b', 'p2 w x 2@a', 'p1 r x 2@a'], { ryw: false, all: false }],
  ['versions of digits, which are numbers', ['p2 w x 2@10', 'p1 w x 1@9', 'p1 r x 2@10'], { ryw: true }],
]

describe('session guarantees', () => {
  it.each(cases)('%s', async (_, lines, answers) => {
    const got: Record<string, unknown> = {}
    for (const name of Object.keys(answers)) {
      got[name] = (await check(checkers[name as keyof typeof checkers], history(...lines))).valid
    }
    expect(got).toEqual(answers)
  })

  it('tells what a session did not see', async () => {
    const { anomalies } = await check(checkers.ryw, history('p2 w x 10@1', 'p1 w x 7@2', 'p1 r x 10@1'))
    expect(anomalies).toEqual([
      {
        type: 'read-your-writes',
        explanation:
          'read() on "x" by process 1 (operation 2), which showed {"value":10,"version":1}, is older than ' +
          'write(7) on "x" by process 1 (operation 1), which became version 2, earlier in the same session',
        operations: [0, 1, 2],
      },
    ])
  })

  it('tells why no order fits', async () => {
    const lines = ['p1 w x 1', 'p2 w x 2', 'p3 r x 1', 'p3 r x 2', 'p4 r x 2', 'p4 r x 1', 'p5 r x 1']
    const { anomalies } = await check(checkers.mr, history(...lines))
    expect(anomalies).toHaveLength(1)
    expect(anomalies[0]).toMatchObject({ type: 'contradictory-order', operations: [0, 1, 2, 3, 4, 5] })
    expect(anomalies[0]?.cycle).toEqual([
      { from: 1, to: 0, why: expect.stringContaining('by process 4') },
      { from: 0, to: 1, why: expect.stringContaining('by process 3') },
    ])
    expect(anomalies[0]!.explanation).toContain('write(1) on "x" by process 1 (operation 0) before write(2)')
  })

  it('asks whether a failed write that was read had timed out', async () => {
    const { reason } = await check(checkers.ryw, history('p1 w x 1', 'p1 w x 2!', 'p1 r x 2'))
    expect(reason).toContain(
      '(operation 1), which wrote that value, is recorded as failed: was that a timeout?',
    )
  })

  it('begins another session where operations of a process overlap', async () => {
    const [write, read] = history('p1 w x 1', 'p1 r x null') as [Operation, Operation]
    const overlapping = [write, { ...read, invoke_ts: 3 }]
    expect((await check(checkers.ryw, overlapping)).valid).toBe(true)
    expect((await check(checkers.ryw, overlapping)).evidence).toMatchObject({ sessions: 2, obligations: 0 })
  })

  it('takes versions from where the system has them', async () => {
    const version = ({ output }: Operation) => (output as { revision: number } | null)?.revision ?? null
    const lines = history('p1 w x 1', 'p2 w x 2', 'p1 r x 2')
    const operations = [1, 0, 0].map((revision, i) => ({ ...lines[i]!, output: { revision } }))
    expect((await check(readYourWrites({ version }), operations)).valid).toBe(false)
    expect((await check(readYourWrites({ version: () => null }), lines)).valid).toBe(true)
  })

  it('says what is wrong with version', async () => {
    expect(() => readYourWrites({ version: 'revision' } as never)).toThrow(DeclarationError)
    const lines = history('p1 w x 1', 'p1 r x 1')
    const wrong = readYourWrites({ version: (() => true) as never })
    await expect(check(wrong, lines)).rejects.toThrow(HarnessError)
    await expect(check(wrong, lines)).rejects.toThrow('version() for operation 0 returned true')
  })
})

describe('monotonic reads of a stream', () => {
  const watch = (from: number | null, ...revisions: number[]) => ({ from, revisions })
  const streams: readonly (readonly [string, readonly ReturnType<typeof watch>[], boolean])[] = [
    ['goes on', [watch(1, 1, 2), watch(null, 3, 3, 4)], true],
    ['travels back', [watch(797, 797, 798, 799), watch(797, 3, 4)], false],
    ['travels back without being asked', [watch(null, 5), watch(null, 4)], false],
    ['travels back within one answer', [watch(null, 5, 4)], false],
    ['begins again where it was asked to', [watch(1, 1, 2, 3), watch(2, 2, 3)], true],
    ['delivers nothing', [watch(1), watch(null)], true],
  ]

  it.each(streams)('%s', async (_, deliveries, valid) => {
    const operations = deliveries.map(({ from, revisions }, index) => ({
      ...operation({ op_type: 'watch', at: [index * 10, index * 10 + 5] }),
      process_id: 0,
      input: from === null ? null : { from },
      output: { revisions },
    }))
    const result = await check(checkers.mr, operations)
    expect(result.valid).toBe(valid)
    expect(result.anomalies.map(({ type }) => type)).toEqual(valid ? [] : ['travels-back'])
  })

  it('reads logs by their offsets, each process on its own', async () => {
    const read = (process: number, at: number, ...offsets: number[]) => ({
      ...operation({ op_type: 'read', key: 'p0', at: [at, at + 5] }),
      process_id: process,
      output: { records: offsets.map((offset) => [offset, `entry ${offset}`]) },
    })
    expect((await check(checkers.mr, [read(0, 0, 5, 6), read(1, 10, 3), read(0, 20, 7)])).valid).toBe(true)
    expect((await check(checkers.mr, [read(0, 0, 5, 6), read(1, 10, 3), read(0, 20, 5)])).valid).toBe(false)
  })
})

describe('a read that shows one of several writes', () => {
  it('is not taken for fine when all of them come later in its session', async () => {
    const early = history('p0 r x 1@2', 'p0 w x 1', 'p0 w x 1@2')
    const given = { operations: early, model: session(), collected: null, timeoutMs: 1_000 }
    expect((await checkers.wfr.check(given)).valid).not.toBe(true)
  })

  it('is fine when one of them came before it', async () => {
    const late = history('p1 w x 1@1', 'p1 w x 1@1', 'p0 r x 1@1', 'p0 w x 2@2')
    const given = { operations: late, model: session(), collected: null, timeoutMs: 1_000 }
    expect((await checkers.wfr.check(given)).valid).toBe(true)
  })
})
