import { expect, test } from 'vitest'
import { linearizable, noLostAck } from '../../../src/checkers/index.js'
import { claim } from '../../../src/claim/declare.js'
import { DeclarationError } from '../../../src/errors.js'
import { modelNamed } from '../../../src/models/named.js'
import { system } from '../../../src/scenario/system.js'
import { validateScenario } from '../../../src/scenario/declaration/validate.js'
import { MemorySystem } from '../memory-system.js'

const memory = new MemorySystem(1)
const spec = {
  id: 'S1',
  falsifies: [claim('C1', 'It holds', { categories: ['safety'] })],
  system: system('memory', { nodes: memory.provider(), connect: () => ({}) }),
  checkers: [linearizable()],
}

test('a scenario with a body needs no workload', () => {
  expect(validateScenario('holds', spec, true)).toBe(spec)
  expect(() => validateScenario('holds', spec, false)).toThrow('nothing drives the system')
})

test.each([
  ['no id', { id: undefined }, 'id'],
  ['no claim', { falsifies: [] }, 'at least one claim'],
  ['something that is no claim', { falsifies: ['C1'] }, 'falsifies[0]'],
  ['no checker', { checkers: [] }, 'without an oracle a run proves nothing'],
  ['a checker that cannot check', { checkers: [{ name: 'x' }] }, 'checkers[0].check'],
  [
    'a checker that forbids what there is not',
    { checkers: [{ ...linearizable(), forbids: ['time-travel'] }] },
    'there is no mutation "time-travel"',
  ],
  [
    'two checkers of one name that read the live system',
    { checkers: [noLostAck({ final: () => null }), noLostAck({ final: () => null })] },
    "both called 'no-lost-ack'",
  ],
  ['something that is no fault', { nemesis: ['kill'] }, 'nemesis[0]'],
  ['a fault that cannot be injected', { nemesis: [{ definition: { name: 'x' } }] }, 'nemesis.random(…)'],
  ['an option that does not exist', { nemeses: [] }, 'nemeses'],
  [
    'a budget without a duration',
    { budget: { smoke: { nodes: 1, faults: 0, seeds: 1 } } },
    'budget.smoke.duration',
  ],
  ['two systems of the same name', { topologies: [spec.system] }, 'two of its systems are called'],
  [
    'a hardening budget that is no harder',
    {
      budget: {
        smoke: { duration: '5s', nodes: 1, faults: 1, seeds: 1 },
        hardening: { duration: '5s', nodes: 1, faults: 1, seeds: 1 },
      },
    },
    'hardening.duration',
  ],
])('refuses %s, and says where', (_, changes, words) => {
  const declare = () => validateScenario('holds', { ...spec, ...changes }, true)
  expect(declare).toThrow(DeclarationError)
  expect(declare).toThrow("scenario('holds')")
  expect(declare).toThrow(words)
})

test('a system says everything that is wrong with it at once', () => {
  const declare = () =>
    system('s', { nodes: {} as never, connect: 1 as never, roles: { leader: 'n1' as never } })
  expect(declare).toThrow(/nodes.*connect.*leader/s)
})

test('a claim says which field is wrong', () => {
  expect(() => claim('C 1', '', { categories: ['speed' as never] })).toThrow(/id.*text.*categories/s)
})

test.each([
  ['safety of a register', 'register', ['safety', 'durability'], 'for safety linearizable()', 'noLostAck()'],
  ['safety without a model', undefined, ['safety'], 'declare one', 'invariant()'],
] as const)('a scenario without a checker is told what fits: %s', (_, model, categories, first, second) => {
  const falsifies = [claim('C1', 'It holds', { categories: [...categories] })]
  const without = { ...spec, falsifies, checkers: undefined, ...(model && { model: modelNamed(model) }) }
  for (const declared of [without, { ...without, checkers: [] }]) {
    const { summary, hint } = refusal(() => validateScenario('holds', declared, true))
    expect(summary).toContain('without an oracle')
    expect(hint).toContain(first)
    expect(hint).toContain(second)
  }
})

function refusal(declare: () => unknown): DeclarationError {
  try {
    declare()
  } catch (error) {
    if (error instanceof DeclarationError) return error
  }
  throw new Error('it was not refused')
}
