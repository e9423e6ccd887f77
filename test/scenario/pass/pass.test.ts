import { expect, test } from 'vitest'
import { linearizable } from '../../../src/checkers/index.js'
import { nemesis } from '../../../src/nemesis/nemesis.js'
import type { ScenarioBody } from '../../../src/scenario/pass/drive/body.js'
import type { ScenarioSpec } from '../../../src/scenario/spec.js'
import type { RunningSystem } from '../../../src/systems/system.js'
import { MemorySystem, type MemoryClient } from '../memory-system.js'
import { run, scenarioOn } from '../running.js'

/** The scenario with a system that differs once it runs. */
function running(spec: ScenarioSpec, change: (is: RunningSystem) => Partial<RunningSystem>): ScenarioSpec {
  const { nodes } = spec.system.spec
  const start: typeof nodes.start = async (options) => {
    const is = await nodes.start(options)
    return { ...is, ...change(is) }
  }
  return { ...spec, system: { ...spec.system, spec: { ...spec.system.spec, nodes: { ...nodes, start } } } }
}

const stopsNot = (spec: ScenarioSpec) =>
  running(spec, () => ({ stop: () => Promise.reject(new Error('it would not stop')) }))

test('a violation is found although the system cannot be stopped', async () => {
  const spec = scenarioOn(new MemorySystem(3, { stale: true }), { blame: false, reruns: 1 })
  const { record } = await run(stopsNot(spec))
  expect(record.runs[0]!.error).toMatchObject({ phase: 'stop', message: 'it would not stop' })
  expect(record.ruling.verdict).toBe('FAIL-reproducible')
})

test('what is clean does not pass when the system cannot be stopped', async () => {
  const { record } = await run(stopsNot(scenarioOn(new MemorySystem(3))))
  expect(record.ruling).toMatchObject({ verdict: 'INCONCLUSIVE-env' })
  expect(record.ruling.reason).toContain('it would not stop')
})

test('what lacks a capability says so also when it cannot be stopped', async () => {
  const spec = scenarioOn(new MemorySystem(3), { nemesis: [nemesis('partition', { isolate: 'n1' })] })
  const { record } = await run(stopsNot(spec))
  expect(record.ruling.reason).toContain('partition needs the capability network')
})

test('the faults of a pass whose body breaks are kept', async () => {
  const body: ScenarioBody<MemoryClient> = async ({ inject }) => {
    await inject(nemesis('kill', { node: 'n3' }))
    throw new TypeError('x is not a function')
  }
  const { record } = await run(scenarioOn(new MemorySystem(3)), body)
  expect(record.runs[0]).toMatchObject({ error: { kind: 'harness', phase: 'drive' } })
  expect(record.runs[0]!.faults).toMatchObject([{ fault: 'kill', target: expect.stringContaining('n3') }])
  expect(record.runs[0]!.faults[0]!.healed_ts).not.toBeNull()
})

test('a pass that is cancelled while it is judged has not gone to its end', async () => {
  const controller = new AbortController()
  const checker = linearizable()
  const checkers: ScenarioSpec['checkers'] = [
    {
      ...checker,
      check: async (input) => {
        const result = await checker.check(input)
        controller.abort(new Error('Ctrl-C'))
        return result
      },
    },
  ]
  const { record } = await run(scenarioOn(new MemorySystem(3), { checkers }), undefined, controller.signal)
  expect(record.runs[0]!.error).toMatchObject({ kind: 'interrupted', phase: 'check' })
  expect(record.ruling.verdict).toBe('INCONCLUSIVE-env')
})
