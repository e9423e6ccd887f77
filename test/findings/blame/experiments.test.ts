import { describe, expect, it } from 'vitest'
import type { Checker } from '../../../src/checkers/checker.js'
import { linearizable, sequential } from '../../../src/checkers/index.js'
import { changedRun, needsFaultBy } from '../../../src/findings/blame/changed-run.js'
import { checkerFailed, checkerFailure } from '../../../src/findings/blame/checker-failure.js'
import { hostSignals, slownessMatters } from '../../../src/findings/blame/host-signals.js'
import { documentedRelaxations } from '../../../src/findings/blame/relaxations.js'
import { failedWritesReadBack, invalidRequests } from '../../../src/findings/blame/requests.js'
import { register } from '../../../src/models/index.js'
import type { HostSignal } from '../../../src/session/host-record.js'
import { operation } from '../../checkers/operation.js'
import { runRecord } from '../../session/records.js'

const { signal } = new AbortController()
const [sample] = runRecord().checks
if (sample === undefined) throw new Error('the sample run has a check')

const write = operation({ op_type: 'write', input: 1, at: [0, 10], process_id: 0 })
const overwrite = operation({ op_type: 'write', input: 2, at: [20, 30], process_id: 1 })
const stale = operation({ op_type: 'read', output: 1, at: [40, 50], process_id: 2 })
/** Stale in real time, and fine in some order. */
const operations = [write, overwrite, stale]

describe('documentedRelaxations', () => {
  const relaxation = { name: 'quorum=false', source: 'docs/api.md', checker: sequential() }
  const judged = (all: typeof operations) =>
    documentedRelaxations([relaxation], { operations: all, model: register(), run: 'seed-1', signal })

  it('one that allows the history points at the checker that was chosen', async () => {
    expect(await judged(operations)).toMatchObject([
      {
        points: 'checker',
        outcome: 'yes: quorum=false allows what looked like a violation',
        evidence: ['seed-1', 'docs/api.md'],
      },
    ])
  })

  it('one that forbids it as well points at nobody', async () => {
    const invented = operation({ op_type: 'read', output: 9, at: [60, 70] })
    expect(await judged([...operations, invented])).toMatchObject([{ points: null }])
  })

  it.each<[string, Checker, RegExp]>([
    [
      'judges no operation',
      { ...sequential(), check: async () => ({ ...sample, operations: 0 }) },
      /judged none/,
    ],
    ['does not fit the model', { ...sequential(), misfit: () => 'it is for queues' }, /it is for queues/],
    ['reads the live system', { ...sequential(), collect: async () => null }, /reads the live system/],
    [
      'fails',
      {
        ...sequential(),
        check: async () => {
          throw new Error('no such field')
        },
      },
      /sequential failed: no such field/,
    ],
  ])('one that %s allows nothing', async (_, checker, why) => {
    const [tried] = await documentedRelaxations([{ ...relaxation, checker }], {
      ...{ operations, model: register(), run: 'seed-1', signal },
    })
    expect(tried).toMatchObject({ points: null, clears: [] })
    expect(tried?.outcome).toMatch(/^not decided/)
    expect(tried?.outcome).toMatch(why)
  })
})

describe('checkerFailure', () => {
  it('names the checker that threw', () => {
    const reason = `${checkerFailed}: cannot cast a string to a number`
    const run = runRecord({ checks: [{ ...sample, checker: 'set', valid: 'unknown', reason }] })
    expect(checkerFailure([run])).toMatchObject({ points: 'checker', evidence: ['seed-42'] })
    expect(checkerFailure([runRecord()])).toBeNull()
  })
})

describe('requests', () => {
  const refused = operation({
    op_type: 'write',
    at: [80, 90],
    error: 'ERR wrong number of arguments for set',
  })
  const timedOut = { ...write, complete_ts: 15, error: 'ETIMEDOUT' }

  it('point at the harness when the system could only refuse them', () => {
    expect(invalidRequests('seed-1', [...operations, refused])).toMatchObject({ points: 'harness' })
    expect(invalidRequests('seed-1', operations)).toMatchObject({ points: null })
    const healthy = Array.from({ length: 200 }, () => write)
    expect(invalidRequests('seed-1', [...healthy, refused])).toMatchObject({ points: null })
  })

  it.each([
    'HTTP 400',
    'status: 422',
    'Bad Request',
    'Error: HTTP 422 Unprocessable Entity',
    '400 Bad Request',
  ])('%s says so only where no operation of the type is served', (error) => {
    const without = { ...refused, error }
    expect(invalidRequests('seed-1', [without, stale])).toMatchObject({ points: 'harness' })
    expect(invalidRequests('seed-1', [without, write, stale])).toMatchObject({ points: null })
  })

  it.each<[string, 'harness' | null]>([
    ['status 400: bad request: there is no such key', 'harness'],
    ['HTTP 422: the amount is no number', 'harness'],
    ['HTTP 400: insufficient funds', null],
    ['422 Unprocessable Entity: the account is locked', null],
    ['Bad Request: version 7 is stale', null],
  ])('%s points at %s', (error, points) => {
    expect(invalidRequests('seed-1', [write, { ...refused, error }]).points).toBe(points)
  })

  it('are counted by their share, of 1%', () => {
    const many = (count: number) => Array.from({ length: count }, () => write)
    expect(invalidRequests('seed-1', [...many(99), refused])).toMatchObject({ points: 'harness' })
    expect(invalidRequests('seed-1', [...many(100), refused])).toMatchObject({ points: null })
    expect(invalidRequests('seed-1', [])).toMatchObject({ points: null })
  })

  it.each([
    ['request timed out', true],
    ['Timeout of 50 ms', true],
    ['context deadline exceeded', true],
    ['AbortError: This operation was aborted', true],
    ['read ECONNRESET', true],
    ['socket hang up', true],
    ['the client is closed', true],
    ['transaction aborted: write conflict', false],
    ['ABORTED by a newer transaction', false],
    ['timestamp is too old', false],
    ['runtime error in a trigger', false],
  ])('a write that failed with "%s" may have happened: %s', (error, may) => {
    expect(failedWritesReadBack('seed-1', [{ ...timedOut, error }, stale]) !== null).toBe(may)
  })

  it('a value that was read although its write is recorded as failed asks for a timeout', () => {
    expect(failedWritesReadBack('seed-1', [timedOut, stale])).toMatchObject({
      points: 'harness',
      outcome: expect.stringContaining('was that a timeout?'),
    })
    expect(failedWritesReadBack('seed-1', [{ ...timedOut, error: 'not the leader' }, stale])).toBeNull()
    expect(failedWritesReadBack('seed-1', [timedOut, write, stale])).toBeNull()
  })
})

describe('hostSignals', () => {
  const full: HostSignal = { kind: 'disk-full', from_ts: 5e9, to_ts: 6e9, detail: '/data has 0 bytes left' }
  const watched = (...signals: HostSignal[]) => ({
    name: 'seed-1',
    host: { watched: ['clocks', '/proc/vmstat (OOM kills)', 'free space: data'], unwatched: [], signals },
  })

  const judged = (violated: Parameters<typeof hostSignals>[0]) => hostSignals(violated, { bySlowness: false })

  it('point at the machine when every violated run lines up with them', () => {
    const moment = { from_ts: 5.5e9, to_ts: 7e9 }
    expect(judged([{ run: watched(full), moment }])).toMatchObject({
      points: 'environment',
      outcome: 'yes, in 1 of 1 violated runs: disk-full: /data has 0 bytes left',
    })
    // It may show a while after.
    expect(judged([{ run: watched(full), moment: { from_ts: 8e9, to_ts: 8e9 } }])?.points).toBe('environment')
    expect(judged([{ run: watched(full), moment: { from_ts: 8e9 + 1, to_ts: 9e9 } }])?.points).toBeNull()
  })

  it('a violation in quiet clears the machine', () => {
    const before = { from_ts: 1e9, to_ts: 2e9 }
    expect(judged([{ run: watched(full), moment: before }])).toMatchObject({ clears: ['environment'] })
    expect(
      judged([
        { run: watched(full), moment: null },
        { run: watched(), moment: null },
      ]),
    ).toMatchObject({ points: null, clears: ['environment'] })
  })

  it.each([
    ['OOM kills', ['clocks', 'free space: data']],
    ['free space', ['clocks', 'memory.events (OOM kills)']],
    ['clocks', ['memory.events (OOM kills)', 'free space: data']],
  ])('quiet in which nobody watched %s clears nobody', (lacking, sources) => {
    const run = { name: 'seed-1', host: { watched: sources, unwatched: [], signals: [] } }
    expect(judged([{ run, moment: null }])).toMatchObject({
      points: null,
      clears: [],
      outcome: expect.stringContaining(`nobody watched ${lacking}`),
    })
    const others = [
      { run, moment: null },
      { run: watched(), moment: null },
    ]
    expect(judged(others)).toMatchObject({ clears: ['environment'] })
  })

  it('nobody watched, nobody knows', () => {
    expect(judged([{ run: { name: 'seed-1', host: null }, moment: null }])).toBeNull()
  })

  it('a slow machine is no reason for other answers, only for late ones', () => {
    const stalled: HostSignal = { kind: 'stall', from_ts: 5e9, to_ts: 6e9, detail: 'stood still for 700 ms' }
    const runs = [{ run: watched(stalled), moment: { from_ts: 5.5e9, to_ts: 7e9 } }]
    expect(hostSignals(runs, { bySlowness: false })).toMatchObject({
      clears: ['environment'],
      outcome: expect.stringContaining('slowness, such as stall: stood still for 700 ms'),
    })
    expect(hostSignals(runs, { bySlowness: true })).toMatchObject({ points: 'environment' })
    const full = { ...stalled, kind: 'disk-full' as const }
    expect(hostSignals([{ run: watched(stalled, full), moment: null }], { bySlowness: false })).toMatchObject(
      {
        points: 'environment',
        outcome: expect.not.stringContaining('stall'),
      },
    )
  })
})

it('slowness can be the reason where time is judged, and where what is held expires', () => {
  expect(slownessMatters(linearizable(), 'register')).toBe(false)
  expect(slownessMatters(linearizable(), 'lease')).toBe(true)
  expect(slownessMatters({ name: 'bounded-staleness', pattern: 8 }, 'register')).toBe(true)
  expect(slownessMatters({ name: 'slo', pattern: 4 }, null)).toBe(true)
  expect(slownessMatters({ name: 'own', pattern: 2 }, null)).toBe(true)
  expect(slownessMatters({ name: 'availability', pattern: 4 }, 'register')).toBe(true)
})

describe('changedRun', () => {
  const clean = runRecord({ name: 'experiment' })
  const violated = runRecord({ name: 'experiment', checks: [{ ...sample, valid: false }] })
  const reproducible = { by: sample.checker, reproducible: true }

  it('a violation that survives another harness clears it', () => {
    for (const change of ['another workload', 'another generator', 'another client'] as const) {
      expect(changedRun(change, violated, reproducible)).toMatchObject({ points: 'SUT', clears: ['harness'] })
    }
  })

  it('one that goes away with what the scenario names points at the harness, if it comes again without', () => {
    expect(changedRun('another client', clean, reproducible)?.points).toBe('harness')
    expect(changedRun('another client', clean, { ...reproducible, reproducible: false })?.points).toBeNull()
    expect(changedRun('another workload', clean, reproducible)?.points).toBeNull()
  })

  it('one without faults blames nobody', () => {
    expect(changedRun('without faults', violated, reproducible)).toMatchObject({ points: null, clears: [] })
  })

  it.each([
    ['was judged by nobody', { checks: [] }],
    ['was not judged to an answer', { checks: [{ ...sample, valid: 'unknown' as const }] }],
    ['had no operation to judge', { checks: [{ ...sample, operations: 0 }] }],
    ['was never answered', { load: { ...runRecord().load!, ok: 0 } }],
    [
      'was judged by another checker only',
      {
        checks: [
          { ...sample, valid: 'unknown' as const },
          { ...sample, checker: 'slo' },
        ],
      },
    ],
  ])('one that %s blames nobody, and leaves open whether the fault is needed', (_, changes) => {
    const silent = runRecord({ name: 'experiment', ...changes })
    expect(changedRun('another client', silent, reproducible)).toMatchObject({ points: null, clears: [] })
    const tried = changedRun('without faults', silent, reproducible)
    expect(tried?.outcome).toMatch(/^not decided/)
    expect(needsFaultBy([tried!])).toBeNull()
  })

  it('what another checker finds is another matter', () => {
    const slow = { ...sample, checker: 'slo', valid: false }
    const run = runRecord({ name: 'experiment', checks: [sample, slow] })
    expect(changedRun('another workload', run, reproducible)).toMatchObject({ points: null, clears: [] })
  })

  it('an assertion of a body that is not there has not failed', () => {
    const by = { ...reproducible, by: 'body assertions' }
    expect(changedRun('another client', clean, by)).toMatchObject({ points: 'harness' })
  })

  it('tells whether the fault is needed', () => {
    const needs = (run: typeof clean) => needsFaultBy([changedRun('without faults', run, reproducible)!])
    expect([needs(clean), needs(violated), needsFaultBy([])]).toEqual([true, false, null])
  })

  it('a run that did not end says nothing', () => {
    const error = { phase: 'start', kind: 'environment', message: 'no', hint: null } as const
    expect(changedRun('without faults', { ...clean, error }, reproducible)).toBeNull()
  })
})
