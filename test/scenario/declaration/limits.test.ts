import { expect, it } from 'vitest'
import { budgetOf, scenarioLimitMs, workloadMs } from '../../../src/scenario/declaration/limits.js'
import { MemorySystem } from '../memory-system.js'
import { scenarioOn } from '../running.js'

const smoke = { duration: '1s', nodes: 1, faults: 0, seeds: 1 } as const
const hardening = { duration: '20s', nodes: 3, faults: 1, seeds: 3 } as const
const notProvided = { notProvided: 'no rig', revisitWhen: 'there is one' } as const

it.each([
  ['smoke', { smoke, hardening }, smoke],
  ['hardening', { smoke, hardening }, hardening],
  ['hardening', { smoke }, smoke],
  // A tier without numbers of its own is attempted with those of the next lower one.
  ['release', { smoke, hardening }, hardening],
  ['release', { smoke, hardening, release: notProvided }, hardening],
  ['release', { smoke, release: notProvided }, smoke],
  ['release', { smoke, hardening, release: { ...hardening, seeds: 9 } }, { ...hardening, seeds: 9 }],
] as const)('the budget of %s of %o', (tier, budget, expected) => {
  const spec = scenarioOn(new MemorySystem(3), { budget })
  expect(budgetOf(spec, tier)).toEqual(expected)
  expect(workloadMs(spec, tier)).toBe(expected.duration === '1s' ? 1_000 : 20_000)
})

it('a scenario has time for every seed, re-run and attempt of a changed run', () => {
  const spec = scenarioOn(new MemorySystem(3), { budget: { smoke: { ...smoke, seeds: 2 } }, reruns: 3 })
  const quiet = scenarioLimitMs({ ...spec, blame: false }, 'smoke', false)
  const pass = quiet / (2 + 3)
  expect(pass).toBeGreaterThan(1_000)
  // Without faults there is one change, another workload, which is tried twice.
  expect(scenarioLimitMs(spec, 'smoke', false)).toBe(quiet + 2 * pass)
})
