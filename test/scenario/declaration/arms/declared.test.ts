import { describe, expect, it } from 'vitest'
import { control } from '../../../../src/boundary/control.js'
import { fairness, linearizable, noLostAck, slo } from '../../../../src/checkers/index.js'
import { claim } from '../../../../src/claim/declare.js'
import type { Category } from '../../../../src/claim/claim.js'
import { DeclarationError } from '../../../../src/errors.js'
import { register, set } from '../../../../src/models/index.js'
import { nemesis } from '../../../../src/nemesis/nemesis.js'
import { declaredScenarios } from '../../../../src/scenario/declaration/arms/declared.js'
import type { ArmSpec } from '../../../../src/scenario/declaration/arms/arm-spec.js'
import { declaredRecord } from '../../../../src/scenario/declaration/declared-record.js'
import { MemorySystem } from '../../memory-system.js'
import { scenarioOn } from '../../running.js'

const about = (...categories: readonly Category[]) =>
  claim('C7', 'A tenant sees nothing of another one', { categories: [...categories] })

const alone = { ...scenarioOn(new MemorySystem(1)), id: 'S5', falsifies: [about('boundary', 'safety')] }

const controls = [
  control.positive('reads its own', { run: () => Promise.resolve(1), holds: () => true }),
  control.negative('reads another', {
    confusable: ['prefix-collision', 'case-folding'],
    attempt: () => Promise.reject(new Error('denied')),
    refused: () => true,
    observed: () => 'audit line 3',
  }),
]

const api: ArmSpec<never> = {
  surfaces: ['GET /documents'],
  keys: ['tenant', 'document'],
  controls,
  asyncPaths: { none: 'answers are synchronous' },
  backgroundPaths: ['compaction'],
  observabilityPaths: ['audit log'],
}

const declare = (arms: unknown, changes: object = {}) =>
  declaredScenarios('tenants_are_apart', { ...alone, ...changes, arms }, false)

describe('arms', () => {
  it('become scenarios of their own, with what they do not say from the scenario', () => {
    const model = set()
    const kill = nemesis('kill', { node: 'n1', for: '1s' })
    const declared = declare({ api, export: { ...api, surfaces: ['GET /export'], model, nemesis: [kill] } })
    expect(declared.map(({ name, spec }) => [name, spec.id])).toEqual([
      ['tenants_are_apart > api', 'S5/api'],
      ['tenants_are_apart > export', 'S5/export'],
    ])
    expect(declared[0]!.spec).toMatchObject({ model: alone.model, checkers: alone.checkers })
    expect(declared[0]!.spec.nemesis).toBeUndefined()
    expect(declared[1]!.spec).toMatchObject({ model, nemesis: [kill], checkers: alone.checkers })
  })

  it('are recorded with the matrix of what they cover', () => {
    const [first] = declare({ api, export: { ...api, surfaces: ['GET /export'] } })
    const record = declaredRecord(first!.spec, { name: first!.name, location: null, tier: 'smoke' })
    expect(record).toMatchObject({
      id: 'S5/api',
      name: 'tenants_are_apart > api',
      arm: { of: 'tenants_are_apart', id: 'S5', name: 'api' },
    })
    expect(record.boundary).toEqual({
      matrix: {
        claim: ['C7'],
        keys: ['tenant', 'document'],
        surfaces: ['GET /documents'],
        operations: ['write', 'read'],
        positiveControls: ['reads its own'],
        negativeControls: ['reads another'],
        confusableIdentifiers: ['prefix-collision', 'case-folding'],
        asyncPaths: { none: 'answers are synchronous' },
        backgroundPaths: ['compaction'],
        observabilityPaths: ['audit log'],
        oracle: ['linearizable'],
        minimumSmokeBudget: alone.budget?.smoke,
        minimumHardeningBudget: null,
      },
      arms: [
        { name: 'api', surfaces: ['GET /documents'] },
        { name: 'export', surfaces: ['GET /export'] },
      ],
    })
  })

  it.each(['boundary', 'fairness'] as const)('are asked for by a claim about %s', (category) => {
    const declareOne = () => declaredScenarios('apart', { ...alone, falsifies: [about(category)] }, false)
    expect(declareOne).toThrow(DeclarationError)
    expect(declareOne).toThrow(
      new RegExp(
        `scenario\\('apart'\\): C7 is about ${category}, and the scenario has no arms[^]*arms: \\{ api:`,
      ),
    )
  })

  it('are not asked for by other claims', () => {
    const [only] = declaredScenarios('apart', { ...alone, falsifies: [about('isolation', 'safety')] }, false)
    expect(only).toMatchObject({ name: 'apart', spec: { id: 'S5' } })
    expect(only!.spec.arm).toBeUndefined()
  })

  it.each<[string, unknown, object, RegExp]>([
    ['none', {}, {}, /arms is empty/],
    ['no object', ['api'], {}, /arm|name of an arm/],
    ['a bad name', { 'a/b': api }, {}, /"a\/b" is no name of an arm/],
    ['an option that there is not', { api: { ...api, surface: 'x' } }, {}, /arm 'api'[^]*surface/],
    ['no surface', { api: { ...api, surfaces: [] } }, {}, /arm 'api'[^]*at least one surface/],
    ['no reason for what is not there', { api: { ...api, asyncPaths: [] } }, {}, /asyncPaths[^]*none: 'why'/],
    ['what is no control', { api: { ...api, controls: [{ name: 'x' }] } }, {}, /controls\[0\]/],
    [
      'no look-alikes and no reason',
      { api: { ...api, controls: [] } },
      {},
      /arm 'api': no control is tried with identifiers that look alike[^]*none: 'why/,
    ],
    ['no oracle', { api }, { checkers: undefined }, /scenario\('tenants_are_apart > api'\): checkers/],
  ])('are refused with %s', (_, arms, changes, words) => {
    expect(() => declare(arms, changes)).toThrow(DeclarationError)
    expect(() => declare(arms, changes)).toThrow(words)
  })

  it('take a reason instead of look-alikes', () => {
    const [only] = declare({ api: { ...api, controls: [], confusable: { none: 'ids are UUIDs' } } })
    expect(only!.spec.arm!.boundary.matrix.confusableIdentifiers).toEqual({ none: 'ids are UUIDs' })
  })
})

describe('the split rule', () => {
  const surfaces = (count: number) => Array.from({ length: count }, (_, index) => `surface ${index + 1}`)

  it('takes three surfaces, three categories and one oracle', () => {
    const falsifies = [about('boundary', 'safety'), claim('C8', 'x', { categories: ['safety', 'ordering'] })]
    expect(declare({ api: { ...api, surfaces: surfaces(3), falsifies } })).toHaveLength(1)
    // Two checkers of one pattern are one oracle, asked two things.
    const limits = [slo({ latency: { percentile: 99, atMost: '1s' } }), slo({ errors: { atMost: 0 } })]
    expect(declare({ api: { ...api, checkers: limits } })).toHaveLength(1)
  })

  it('refuses a fourth surface', () => {
    expect(() => declare({ api: { ...api, surfaces: surfaces(4) } })).toThrow(
      /arm 'api' covers too much for one verdict: 4 surfaces \(surface 1, .*\), at most 3[^]*split it: one arm for each surface/,
    )
  })

  it('refuses a fourth category', () => {
    const falsifies = [
      about('boundary', 'safety', 'ordering'),
      claim('C8', 'x', { categories: ['durability'] }),
    ]
    expect(() => declare({ api: { ...api, falsifies } })).toThrow(
      /4 categories of claims \(boundary, safety, ordering, durability\), at most 3[^]*`falsifies`/,
    )
  })

  it('refuses a second oracle, and says how to split', () => {
    const checkers = [linearizable(), noLostAck({ final: () => Promise.resolve(null) })]
    expect(() => declare({ api: { ...api, checkers } })).toThrow(
      /2 independent oracles \(linearizable, no-lost-ack\), at most 1[^]*'api-linearizable': \{ checkers: \[linearizable\] \}/,
    )
    expect(() =>
      declare({
        api: {
          ...api,
          falsifies: [about('fairness')],
          checkers: [fairness({ maxErrorRate: 0 }), linearizable()],
        },
      }),
    ).toThrow(/2 independent oracles/)
  })

  it('leaves arms of other claims alone', () => {
    const changes = { falsifies: [about('safety')], model: register() }
    expect(declare({ api: { ...api, surfaces: surfaces(4) } }, changes)).toHaveLength(1)
  })
})
