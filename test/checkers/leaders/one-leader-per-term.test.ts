import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oneLeaderPerTerm } from '../../../src/checkers/index.js'
import { DeclarationError } from '../../../src/errors.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { operation } from '../operation.js'

type Shown = { readonly leader?: string | null; readonly term: number }

/** The claim pair by pair. */
function hasOneLeader(operations: readonly Operation[]): boolean {
  const seen = operations
    .filter((one) => outcomeOf(one) === 'ok')
    .flatMap(({ op_type: type, key, output, node_seen: node }) => {
      const { leader, term } = output as Shown
      const who = leader === undefined && type === 'elected' ? node : (leader ?? null)
      return who === null ? [] : [{ key, term, who }]
    })
  return seen.every((a) => seen.every((b) => a.key !== b.key || a.term !== b.term || a.who === b.who))
}

const step = fc.record({
  type: fc.constantFrom('status', 'status', 'elected'),
  key: fc.constantFrom('shard 1', 'shard 2'),
  term: fc.nat(1),
  stray: fc.nat(9),
  leader: fc.constantFrom('known', 'known', 'known', 'none', 'left out'),
  outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'failed', 'unknown'),
})

const histories = fc.array(step, { maxLength: 8, size: 'max' }).map((steps) =>
  steps.map(({ type, key, term, stray, leader, outcome }, n) => {
    const node = `n${(term + (stray < 4 ? 1 : 0)) % 3}`
    const shown = leader === 'known' ? { leader: node } : leader === 'none' ? { leader: null } : {}
    return operation({
      op_id: n,
      op_type: type,
      key,
      at: [n, outcome === 'unknown' ? null : n + 1],
      node_seen: node,
      output: outcome === 'unknown' ? null : { term, ...shown },
      ...(outcome === 'failed' ? { error: 'refused' } : {}),
    })
  }),
)

describe('oneLeaderPerTerm', () => {
  const status = (output: Operation['output'], more: Partial<Operation> = {}) =>
    operation({ op_type: 'status', at: [0, 1], output, ...more })

  it.each([
    ['one leader a term', [status({ leader: 'n1', term: 1 }), status({ leader: 'n2', term: 2 })], true],
    ['two leaders in a term', [status({ leader: 'n1', term: 1 }), status({ leader: 'n2', term: 1 })], false],
    [
      'an election without a leader',
      [status({ leader: null, term: 1 }), status({ leader: 'n2', term: 1 })],
      true,
    ],
    [
      'an answer that failed',
      [status({ leader: 'n1', term: 1 }), status({ leader: 'n2', term: 1 }, { error: 'x' })],
      true,
    ],
    [
      'the same term of two shards',
      [status({ leader: 'n1', term: 1 }, { key: 'a' }), status({ leader: 'n2', term: 1 }, { key: 'b' })],
      true,
    ],
    ['terms as text', [status({ leader: 'n1', term: '1.2' }), status({ leader: 'n2', term: '1.2' })], false],
    [
      'two nodes that say that they lead',
      [
        status({ term: 1 }, { op_type: 'elected', node_seen: 'n1' }),
        status({ term: 1 }, { op_type: 'elected', node_seen: 'n2' }),
      ],
      false,
    ],
    [
      'two nodes that answer',
      [status({ term: 1 }, { node_seen: 'n1' }), status({ term: 1 }, { node_seen: 'n2' })],
      'unknown',
    ],
    ['nothing', [], 'unknown'],
  ] as const)('%s', async (_, operations, valid) => {
    expect((await judged(oneLeaderPerTerm(), operations)).valid).toBe(valid)
  })

  it('tells a term with three leaders once', async () => {
    const three = ['n1', 'n2', 'n3'].map((leader) => status({ leader, term: 7 }))
    const { anomalies, evidence } = await judged(oneLeaderPerTerm(), three)
    expect(anomalies).toHaveLength(1)
    expect(evidence).toMatchObject({ observations: 3, terms: 1, disputed: 1 })
  })

  it('looks where it is told, and takes all keys for one group when asked', async () => {
    const raft = (id: string, key: string) => status({ raft: { id, epoch: 1 } }, { key })
    const paths = { leader: 'raft.id', term: 'raft.epoch' }
    const two = [raft('n1', 'a'), raft('n2', 'b')]
    expect((await judged(oneLeaderPerTerm(paths), two)).valid).toBe(true)
    expect((await judged(oneLeaderPerTerm({ ...paths, group: 'history' }), two)).valid).toBe(false)
    expect(() => oneLeaderPerTerm({ group: 'all' as 'key' })).toThrow(DeclarationError)
  })

  it('agrees with the definition', { timeout: 1_800_000 }, async () => {
    const runs = randomHistories(2_000)
    await againstDefinition(oneLeaderPerTerm(), { histories, runs, isValid: hasOneLeader })
  })
})
