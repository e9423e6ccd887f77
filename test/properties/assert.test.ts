import { EventEmitter } from 'node:events'
import { expect, test } from 'vitest'
import { DeclarationError, HarnessError } from '../../src/errors.js'
import { always, sometimes, unreachable } from '../../src/properties/assert.js'
import { neverHeld } from '../../src/properties/never-held.js'
import { PropertyRegistry } from '../../src/properties/registry.js'
import { countingIn, duringOperation } from '../../src/properties/scope.js'

const counted = async (work: () => unknown) => {
  const registry = new PropertyRegistry()
  await countingIn(registry, async () => work())
  return registry
}

test('counts each evaluation, and hands the condition back', async () => {
  const registry = await counted(() => {
    expect([always('a', true), always('a', false), sometimes('b', false), sometimes('b', true)]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
  expect(registry.properties()).toEqual([
    { kind: 'always', name: 'a', held: 1, broken: 1 },
    { kind: 'sometimes', name: 'b', held: 1, broken: 1 },
  ])
})

test('tells the first operation and the details of what was broken', async () => {
  const registry = await counted(async () => {
    always('bounded', true)
    await duringOperation(17, async () => {
      await Promise.resolve()
      always('bounded', false, { depth: 101 })
    })
    await duringOperation(18, async () => always('bounded', false, { depth: 102 }))
    unreachable('split brain')
  })
  expect(registry.result()).toMatchObject({
    valid: false,
    operations: 4,
    evidence: { properties: 2, evaluations: 4 },
    anomalies: [
      {
        type: 'always-broken',
        explanation:
          'always "bounded" did not hold in 2 of 3 evaluations, first in operation 17, with {"depth":101}',
        operations: [17],
      },
      {
        type: 'unreachable-broken',
        explanation: 'unreachable "split brain" was reached 1 times',
        operations: [],
      },
    ],
  })
})

test('a sometimes that does not hold breaks nothing, and nothing asserted is no result', async () => {
  expect((await counted(() => sometimes('rare', false))).result()).toMatchObject({
    valid: true,
    anomalies: [],
  })
  expect((await counted(() => {})).result()).toBeNull()
})

test('two runs at a time count apart', async () => {
  const [first, second] = await Promise.all([
    counted(async () => {
      await new Promise(setImmediate)
      always('x', true)
    }),
    counted(() => always('x', false)),
  ])
  expect(first.properties()).toEqual([{ kind: 'always', name: 'x', held: 1, broken: 0 }])
  expect(second.properties()).toEqual([{ kind: 'always', name: 'x', held: 0, broken: 1 }])
})

test('a callback that lost its run counts for the only one that is open', async () => {
  const emitter = new EventEmitter()
  const outside = new Promise<void>((resolve) => {
    setTimeout(() => {
      emitter.emit('event')
      resolve()
    }, 20)
  })
  const registry = await counted(async () => {
    emitter.on('event', () => always('seen', false))
    await outside
  })
  expect(registry.properties()).toEqual([{ kind: 'always', name: 'seen', held: 0, broken: 1 }])
})

test('outside of a run nothing is counted, so what is broken throws', () => {
  expect(always('fine', true)).toBe(true)
  expect(sometimes('rare', false)).toBe(false)
  expect(() => always('bounded', false, { depth: 3 })).toThrow(HarnessError)
  expect(() => unreachable('split brain')).toThrow(/split brain/)
})

test('wrong arguments are never taken for a property that holds', async () => {
  const wrong = always as unknown as (name: unknown, condition: unknown) => boolean
  expect(() => wrong('x', 1)).toThrow(DeclarationError)
  const registry = await counted(() => {
    always('fine', true)
    wrong('x', 'yes')
  })
  expect(registry.result()).toMatchObject({
    valid: 'unknown',
    reason: expect.stringContaining('always("x")'),
  })
})

test('names what never held, also what was never evaluated', () => {
  const property = (name: string, held: number) => ({ kind: 'sometimes' as const, name, held, broken: 1 })
  const runs = [[property('a', 0), property('b', 0)], [property('b', 2)]]
  expect(neverHeld(runs, ['b', 'c'])).toEqual(['c', 'a'])
})
