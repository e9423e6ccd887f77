import { describe, expect, it } from 'vitest'
import { catalog } from '../../src/checkers/catalog.js'
import type { Checker } from '../../src/checkers/checker.js'
import * as checkers from '../../src/checkers/index.js'
import { validHistory } from '../../src/generators/valid-history.js'
import type { Operation } from '../../src/history/operation.js'
import type { Json } from '../../src/json.js'
import { modelNamed, modelNames } from '../../src/models/named.js'
import { forbiddenBy } from '../../src/sensitivity/forbids.js'
import { mutations } from '../../src/sensitivity/mutations/index.js'
import { sensitivityOf } from '../../src/sensitivity/sensitivity.js'

const size = 1_000

type Given = Pick<Operation, 'op_type'> & Partial<Operation>

/** Operations one after the other, by three processes in turn. */
function inTurn(given: readonly Given[]): Operation[] {
  return given.map((operation, index) => ({
    op_id: index,
    process_id: index % 3,
    invoke_ts: index * 1_000,
    complete_ts: index * 1_000 + 500,
    key: null,
    input: null,
    output: null,
    error: null,
    timeout_marker: false,
    node_seen: `n${index % 3}`,
    fault_epoch: null,
    ...operation,
  }))
}

const counted = <Item>(count: number, item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index))
const half = counted(size / 2, (index) => index)

const drained = inTurn([
  ...half.map((input) => ({ op_type: 'enqueue', input: `job ${input}`, process_id: 0 })),
  ...half.map((job) => ({ op_type: 'dequeue', output: `job ${job}` })),
  { op_type: 'dequeue' },
])
const growing = inTurn(
  counted(size, (index) =>
    index % 10 === 9
      ? { op_type: 'read', output: counted(index - Math.floor(index / 10), (one) => one) }
      : { op_type: 'add', input: index - Math.floor(index / 10) },
  ),
)
const locked = inTurn(
  counted(size, (index) => ({
    op_type: index % 2 === 0 ? 'acquire' : 'release',
    process_id: Math.floor(index / 2) % 3,
    output: index % 2 === 0 ? { token: index } : true,
  })),
)
const banked = inTurn(
  counted(size, (index) =>
    index % 2 === 0
      ? { op_type: 'transfer', input: { from: 'a', to: 'b', amount: 1 } }
      : { op_type: 'read', output: { a: 1_000 - (index + 1) / 2, b: (index + 1) / 2 } },
  ),
)
const finals = (value: Json): Json => ['n1', 'n2'].map((node) => ({ key: null, node, value, error: null }))
const written = inTurn(counted(size, (input) => ({ op_type: 'write', input })))

const unread = async () => null
type Case = [
  what: string,
  checker: Checker,
  operations: readonly Operation[],
  model: string | null,
  collected?: Json,
]

const cases: Case[] = [
  ...modelNames
    // The search cannot decide these in the time of a test.
    .filter((name) => !['list-append', 'kv-string-append', 'membership-table'].includes(name))
    .map((name): Case => [
      name,
      checkers.linearizable(),
      validHistory(name, { operations: size, seed: 7 }),
      name,
    ]),
  [
    'few processes',
    checkers.sequential(),
    validHistory('register', { operations: size, processes: 2, seed: 7 }),
    'register',
  ],
  ['registers', checkers.noLostAck({ final: unread }), written, 'register', finals(size - 1)],
  ['sets', checkers.noLostAck({ final: unread }), growing, 'set', finals(counted(900, (one) => one))],
  ['queues', checkers.noLostAck(), drained, 'queue'],
  ['queues', checkers.totalQueue(), drained, 'queue'],
  ['repeats allowed', checkers.totalQueue({ duplicates: 'allowed' }), drained, 'queue'],
  ['queues', checkers.noDuplicates(), drained, 'queue'],
  ['queues', checkers.noUnexpected(), drained, 'queue'],
  ['queues', checkers.prefixOrder(), drained, 'queue'],
  ['queues', checkers.exactlyOnce(), drained, 'queue'],
  ['logs', checkers.logOffsets(), validHistory('log', { operations: size, seed: 7 }), 'log'],
  ['sets', checkers.finalSet(), growing, 'set'],
  ['sets', checkers.setFull(), growing, 'set'],
  ['ids', checkers.uniqueIds(), inTurn(counted(size, (output) => ({ op_type: 'generate', output }))), null],
  ['counters', checkers.counterBounds(), validHistory('counter', { operations: size, seed: 7 }), 'counter'],
  [
    'registers',
    checkers.sessionConsistency(),
    validHistory('register', { operations: size, seed: 7 }),
    'register',
  ],
  [
    'registers',
    checkers.readYourWrites(),
    validHistory('register', { operations: size, seed: 7 }),
    'register',
  ],
  [
    'registers',
    checkers.monotonicReads(),
    validHistory('register', { operations: size, seed: 7 }),
    'register',
  ],
  [
    'versions',
    checkers.sessionConsistency(),
    validHistory('session', { operations: size, seed: 7 }),
    'session',
  ],
  ['versions', checkers.readYourWrites(), validHistory('session', { operations: size, seed: 7 }), 'session'],
  ['versions', checkers.monotonicReads(), validHistory('session', { operations: size, seed: 7 }), 'session'],
  ['locks', checkers.mutualExclusion(), locked, 'lock'],
  [
    'semaphores',
    checkers.mutualExclusion(),
    validHistory('semaphore', { operations: size, seed: 7 }),
    'semaphore',
  ],
  ['leases', checkers.leaseExclusion({ ttl: '1m', clockUncertainty: '1ms' }), locked, 'lease'],
  ['tokens', checkers.fencingTokens(), locked, 'lease'],
  [
    'leaders',
    checkers.oneLeaderPerTerm(),
    inTurn(counted(size, (term) => ({ op_type: 'leader', output: { leader: `n${term % 3}`, term } }))),
    null,
  ],
  ['ledgers', checkers.bankTotal(), banked, null],
  [
    'effects',
    checkers.exactlyOnce({ effects: async () => [] }),
    inTurn(
      half.map((id) => ({
        op_type: 'pay',
        op_id: `p${id}`,
        input: { business_id: id },
        output: { effect: id },
      })),
    ),
    null,
    half,
  ],
  [
    'dumps',
    checkers.reconciliation({ dump: unread }),
    written,
    null,
    ['n1', 'n2'].map((node) => ({ node, dump: { x: 1 }, error: null })),
  ],
  [
    'states',
    checkers.replayEquivalence({ live: unread, replayed: unread }),
    written,
    null,
    { live: { state: { x: 1 } }, replayed: { state: { x: 1 } } },
  ],
]

describe('the checkers of this package notice what they forbid in histories of 1,000 operations', () => {
  it.each(cases)('%s', { timeout: 60_000 }, async (_what, checker, operations, name, collected = null) => {
    const model = name === null ? null : modelNamed(name)
    const clean = await checker.check({ operations, model, collected, timeoutMs: 20_000 })
    expect([clean.valid, clean.reason, clean.anomalies[0]]).toEqual([true, null, undefined])
    const measured = await sensitivityOf({
      checker,
      history: { operations, model, collected },
      clean,
      faults: [],
      options: {},
      seed: 11,
      signal: new AbortController().signal,
    })
    expect(measured.survivors).toEqual([])
    expect(measured.mutants, measured.reason ?? '').toBeGreaterThan(collected === null ? 4 : 0)
    expect(measured.killed).toBe(measured.mutants)
  })

  it('or it is known why there are no mutants', () => {
    const history = { operations: [], model: modelNamed('register'), collected: null }
    const without = catalog
      .map(({ example }) => example())
      .filter((checker) => forbiddenBy(checker, history).mutations.length === 0)
    for (const checker of without) {
      expect(forbiddenBy(checker, history).reason, checker.name).toMatch(/^no mutants for .+: /)
    }
    const asked = new Set(cases.map(([, checker]) => checker.name))
    const unasked = catalog.map(({ example }) => example().name).filter((name) => !asked.has(name))
    expect(unasked.toSorted()).toEqual(without.map(({ name }) => name).toSorted())
  })
})

it('every mutation is forbidden by some checker, and has a name and words of its own', () => {
  const names = mutations.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const { name, about } of mutations) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
    expect(about).toMatch(/^[a-z].*[^.]$/)
  }
})
