import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { uniqueIds } from '../../../src/checkers/unique-ids/unique-ids.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { readHistory } from '../../../src/history/read.js'
import type { Json } from '../../../src/json.js'
import { register } from '../../../src/models/index.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { operation } from '../operation.js'

const generate = (output: Json, more: Partial<Operation> = {}) =>
  operation({ op_type: 'generate', output, at: [0, 1], ...more })
const unknown = { complete_ts: null, output: null, error: 'timeout', timeout_marker: true }

describe('uniqueIds', () => {
  it.each<[string, Operation[], boolean | 'unknown', object]>([
    ['different ids', [generate(1), generate(2)], true, { acknowledged: 2, distinct: 2, min: 1, max: 2 }],
    ['equal ids', [generate(1), generate(2), generate(1)], false, { duplicated: 1, distinct: 2 }],
    ['a number and a text', [generate(1), generate('1')], true, { distinct: 2 }],
    ['objects with an id', [generate({ id: 1, node: 'a' }), generate({ id: 1, node: 'b' })], false, {}],
    ['other objects', [generate({ hi: 1, lo: 2 }), generate({ lo: 2, hi: 1 })], false, { duplicated: 1 }],
    ['unknown outcomes', [generate(1), generate(null, unknown)], true, { unknown: 1, acknowledged: 1 }],
    ['only unknown outcomes', [generate(null, unknown)], 'unknown', { acknowledged: 0 }],
    ['failed', [generate(1), generate(1, { error: 'refused' })], true, { attempted: 2 }],
    ['answers without an id', [generate(null), generate(null)], 'unknown', { withoutId: 2 }],
    ['equal ids of two keys', [generate(1, { key: 'x' }), generate(1, { key: 'y' })], false, {}],
    ['other operations', [generate(1), generate(1, { op_type: 'read' })], true, { attempted: 1 }],
    ['no operations', [], 'unknown', { attempted: 0 }],
  ])('%s', async (_, operations, valid, evidence) => {
    expect(await judged(uniqueIds(), operations)).toMatchObject({ checker: 'unique-ids', valid, evidence })
  })

  it('takes another type of operation, and keys apart', async () => {
    const orders = [1, 1].map((id, index) => generate(id, { op_type: 'next', key: `k${index}` }))
    expect(await judged(uniqueIds(), orders)).toMatchObject({ valid: 'unknown' })
    expect(await judged(uniqueIds({ type: 'next' }), orders)).toMatchObject({ valid: false })
    const perKey = uniqueIds({ type: 'next', within: 'key' })
    expect(await judged(perKey, orders)).toMatchObject({ valid: true })
    expect(perKey.scope.join()).toContain('different keys')
  })

  it('names who was given the id, and not all of very many', async () => {
    const twice = [generate(7, { op_id: 1, process_id: 0 }), generate(7, { op_id: 2, process_id: 1 })]
    expect((await judged(uniqueIds(), twice)).anomalies).toEqual([
      {
        type: 'duplicate-id',
        explanation:
          'generate() by process 0 (operation 1) and generate() by process 1 (operation 2) were all given the id 7.',
        operations: [1, 2],
      },
    ])
    const often = Array.from({ length: 30 }, () => generate(7))
    const { anomalies } = await judged(uniqueIds(), often)
    expect(anomalies[0]?.operations).toHaveLength(10)
    expect(anomalies[0]?.explanation).toContain('and 20 more')
    const many = Array.from({ length: 200 }, (_, index) => generate(index >> 1))
    const result = await judged(uniqueIds(), many)
    expect(result.anomalies).toHaveLength(50)
    expect(result.evidence).toMatchObject({ duplicated: 100, anomalies: 100 })
  })

  it('refuses wrong options, and fits claims of uniqueness whatever the model', () => {
    expect(() => uniqueIds({ type: 3 as never })).toThrow(/uniqueIds\(\).*type/s)
    expect(uniqueIds().misfit(null, ['safety'])).toBeNull()
    expect(uniqueIds().misfit(register(), ['safety'])).toBeNull()
    expect(uniqueIds().misfit(null, ['durability'])).toContain('unique-ids does not falsify')
  })

  it('agrees with the definition: of any two acknowledged ids', async () => {
    const one = fc.record({
      output: fc.constantFrom<Json>(1, 2, 3, 4, 5, '1', { id: 1 }, { id: 'a', node: 1 }, null),
      op_type: fc.constantFrom('generate', 'generate', 'generate', 'read'),
      outcome: fc.constantFrom('ok', 'ok', 'ok', 'failed', 'unknown'),
    })
    const histories = fc.array(one, { maxLength: 7, size: 'max' }).map((steps) =>
      steps.map(({ output, op_type: type, outcome }, id) =>
        generate(outcome === 'ok' ? output : null, {
          op_id: id,
          op_type: type,
          ...(outcome === 'unknown' ? unknown : { error: outcome === 'failed' ? 'refused' : null }),
        }),
      ),
    )
    const idOf = ({ output }: Operation) =>
      JSON.stringify(typeof output === 'object' && output !== null && 'id' in output ? output['id'] : output)
    await againstDefinition(uniqueIds(), {
      histories,
      runs: randomHistories(1_000),
      isValid: (operations) => {
        const given = operations.filter(
          (one) => one.op_type === 'generate' && outcomeOf(one) === 'ok' && one.output !== null,
        )
        return given.every((a) => given.every((b) => a === b || idOf(a) !== idOf(b)))
      },
    })
  })

  it('finds the ids that a new leader handed out again', async () => {
    const { operations } = await readHistory('test/fixtures/reports/ids-begin-again-after-failover.ndjson')
    expect(await judged(uniqueIds(), operations)).toMatchObject({
      valid: false,
      evidence: { acknowledged: 7, unknown: 1, duplicated: 3, min: 1, max: 4 },
    })
  })
})
