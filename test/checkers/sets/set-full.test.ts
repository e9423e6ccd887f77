import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { finalSet } from '../../../src/checkers/sets/final-set.js'
import { setFull } from '../../../src/checkers/sets/set-full.js'
import { readHistory } from '../../../src/history/read.js'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { set } from '../../../src/models/index.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { operation } from '../operation.js'
import { byElement, isExplained, isLinearizable, seenBy, type OfElement } from './definition.js'
import { smallSets } from './small-sets.js'

const add = (input: Json, at: [number, number | null], more: Partial<Operation> = {}) =>
  operation({ op_type: 'add', input, at, ...more })
const read = (output: Json, at: [number, number | null], more: Partial<Operation> = {}) =>
  operation({ op_type: 'read', output, at, ...more })
const lookup = (input: Json, output: boolean, at: [number, number]) =>
  operation({ op_type: 'contains', input, output, at })
const added = add(1, [0, 1])

describe('setFull', () => {
  it.each<[string, Operation[], { eventual: boolean | 'unknown'; linearizable?: boolean }, object]>([
    ['stable', [added, read([1], [2, 3]), read([1], [4, 5])], { eventual: true }, { stable: 1, stale: 0 }],
    ['never seen', [added, read([], [2, 3])], { eventual: false }, { lost: 1 }],
    ['seen and lost', [added, read([1], [2, 3]), read([], [4, 5])], { eventual: false }, { lost: 1 }],
    [
      'stale for a while',
      [added, read([], [2, 3]), read([], [5, 6]), read([1], [7, 8])],
      { eventual: true, linearizable: false },
      { stable: 1, stale: 1, lost: 0, staleMaxMs: 4e-6, staleP50Ms: 4e-6 },
    ],
    [
      'gone and back',
      [added, read([1], [2, 3]), read([], [4, 5]), read([1], [6, 7])],
      { eventual: true, linearizable: false },
      { stale: 1 },
    ],
    [
      'seen and not seen by reads that began together',
      [added, read([1], [2, 3]), read([], [2, 3])],
      { eventual: true, linearizable: false },
      { stale: 1 },
    ],
    ['looked up', [added, lookup(1, true, [2, 3])], { eventual: true }, { stable: 1, lookups: 1 }],
    ['looked up in vain', [added, lookup(1, false, [2, 3])], { eventual: false }, { lost: 1 }],
    ['found and never added', [added, lookup(2, true, [2, 3])], { eventual: false }, { unexpected: 1 }],
    [
      'not found and never added',
      [added, lookup(2, false, [2, 3])],
      { eventual: 'unknown' },
      { neverRead: 1 },
    ],
    [
      'known by a read of an unknown add',
      [add(1, [0, null]), read([1], [2, 3]), read([], [4, 5])],
      { eventual: false },
      {},
    ],
    [
      'an unknown add that nobody saw',
      [add(1, [0, null]), read([], [2, 3])],
      { eventual: 'unknown' },
      { neverRead: 1 },
    ],
    [
      'not read after it was known',
      [add(1, [0, 5]), read([], [2, 3])],
      { eventual: 'unknown' },
      { neverRead: 1 },
    ],
    ['a read at the same time', [add(1, [0, 5]), read([], [5, 6])], { eventual: 'unknown' }, { lost: 0 }],
    ['no reads', [added], { eventual: 'unknown' }, { reads: 0 }],
    ['no operations', [], { eventual: 'unknown' }, {}],
    ['nobody added it', [added, read([1, 2], [2, 3])], { eventual: false }, { unexpected: 1 }],
    [
      'read before it was added',
      [read([1], [0, 1]), add(1, [2, 3]), read([1], [4, 5])],
      { eventual: false },
      { unexpected: 1 },
    ],
    ['failed', [added, add(2, [0, 1], { error: 'refused' }), read([1, 2], [2, 3])], { eventual: false }, {}],
    ['listed twice', [added, read([1, 1], [2, 3])], { eventual: false }, { duplicated: 1 }],
    [
      'may have been removed',
      [added, add(2, [0, 1]), operation({ op_type: 'remove', input: 1, at: [2, null] }), read([2], [3, 4])],
      { eventual: true },
      { removed: 1, stable: 1 },
    ],
    [
      'keys apart',
      [add(1, [0, 1], { key: 'x' }), read([1], [2, 3], { key: 'x' }), read([], [2, 3], { key: 'y' })],
      { eventual: true },
      { sets: 2 },
    ],
  ])('%s', async (_, operations, { eventual, linearizable = eventual }, evidence) => {
    expect(await judged(setFull(), operations)).toMatchObject({
      checker: 'set-full',
      valid: eventual,
      evidence,
    })
    expect(await judged(setFull({ linearizable: true }), operations)).toMatchObject({
      valid: linearizable,
      evidence,
    })
  })

  it('tells when the element was known and which reads lack it', async () => {
    const { anomalies } = await judged(setFull({ linearizable: true }), [
      add(1, [0, 1], { op_id: 10, process_id: 0 }),
      read([], [2, 3], { op_id: 11, process_id: 1 }),
      read([1], [4, 5], { op_id: 12, process_id: 1 }),
    ])
    expect(anomalies).toEqual([
      {
        type: 'stale-element',
        explanation:
          'add(1) by process 0 (operation 10) was acknowledged, and read() by process 1 (operation 11), which began ' +
          'after that, lacks it, while read() by process 1 (operation 12) holds it.',
        operations: [10, 11, 12],
      },
    ])
  })

  it('knows what was there from the start', async () => {
    const model = set({ init: [7] })
    expect(await judged(setFull(), [read([7], [0, 1])], model)).toMatchObject({ valid: true })
    const lost = await judged(setFull(), [read([], [0, 1])], model)
    expect(lost.anomalies).toMatchObject([
      { type: 'lost-element', explanation: expect.stringContaining('7 was there from the start') },
    ])
  })

  it('refuses wrong options', () => {
    expect(() => setFull({ linearizable: 'yes' as never })).toThrow(/setFull\(\).*linearizable/s)
  })

  /** The claim in words: nothing is lost, unexpected or listed twice. */
  const isEventual = (operations: readonly Operation[]) =>
    byElement(operations).every(
      (of) => !isLost(of) && !isUnexpected(of) && !of.reads.some((one) => countIn(of, one) > 1),
    )
  const countIn = ({ element }: OfElement, one: Operation) =>
    seenBy(one).filter((seen) => seen === element).length
  const isUnexpected = (of: OfElement) =>
    of.reads.some((one) => {
      const { complete_ts: end } = one
      return countIn(of, one) > 0 && !of.adds.some(({ invoke_ts: begin }) => end !== null && begin <= end)
    })
  const isLost = (of: OfElement) => {
    const holding = of.reads.filter((one) => countIn(of, one) > 0)
    const known = [...of.adds, ...holding].flatMap(({ complete_ts: end }) => (end === null ? [] : [end]))
    return (
      of.removes.length === 0 &&
      of.reads.some(
        (lacking) =>
          countIn(of, lacking) === 0 &&
          known.some((at) => at < lacking.invoke_ts) &&
          holding.every(({ invoke_ts: begin }) => begin < lacking.invoke_ts),
      )
    )
  }

  it('agrees with the definition of lost elements', async () => {
    const undecided = await againstDefinition(setFull(), {
      histories: smallSets(['add', 'add', 'add', 'read', 'read', 'contains', 'remove']),
      runs: randomHistories(1_500, 3),
      isValid: isEventual,
    })
    expect(undecided).toBeLessThan(0.5)
  })

  it('agrees with the definition where every read must see what is known', async () => {
    await againstDefinition(setFull({ linearizable: true }), {
      histories: smallSets(['add', 'add', 'read', 'contains', 'read']),
      runs: randomHistories(1_000, 3),
      isValid: (operations) =>
        byElement(operations).every((of) => isExplained(of) && !of.reads.some((one) => countIn(of, one) > 1)),
    })
  })

  it('never flags a linearizable history', async () => {
    await againstDefinition(setFull({ linearizable: true }), {
      histories: smallSets(['add', 'add', 'remove', 'read', 'contains'], { maxLength: 6 }),
      runs: randomHistories(800, 3),
      isValid: (operations) => (isLinearizable(operations) ? true : null),
      cores: false,
    })
  })

  it('finds every element lost where adds were recorded with their key and the read was not', async ({
    skip,
  }) => {
    const recorded = '../shared/corpora/elle-cli/jepsen-set-full.ndjson'
    if (!existsSync(recorded)) skip(`there is no ${recorded}: the corpora are kept beside the repository`)
    const { operations } = await readHistory(recorded)
    const result = await judged(setFull(), operations, set())
    expect(result).toMatchObject({ valid: false, evidence: { lost: 293, unexpected: 293, stable: 0 } })
    expect(result.anomalies[0]?.explanation).toContain('recorded together with a key')
  })

  it('finds the documents that were acknowledged and lost', async () => {
    const { operations } = await readHistory('test/fixtures/reports/inserted-documents-lost.ndjson')
    expect(await judged(setFull(), operations, set())).toMatchObject({
      valid: false,
      evidence: { stable: 4, lost: 2, neverRead: 1 },
    })
    expect(await judged(finalSet(), operations, set())).toMatchObject({
      valid: false,
      evidence: { acknowledged: 5, ok: 4, lost: 2, recovered: 1 },
    })
  })
})
