import { expect, it } from 'vitest'
import type { Reproducer } from '../../../src/findings/reduction/reproducer.js'
import { runReproducer } from '../../../src/scenario/reduce/replay.js'
import { Passes } from '../../../src/scenario/runs/passes.js'
import type { RunRecord } from '../../../src/session/record.js'
import { runRecord } from '../../session/records.js'
import { MemorySystem } from '../memory-system.js'
import { scenarioOn } from '../running.js'

const violated = { checks: [{ ...runRecord().checks[0]!, valid: false as const }] }

/** Names of the runs that a reproducer with two tries makes of runs that turn out like these. */
async function played(...outcomes: Partial<RunRecord>[]): Promise<string[]> {
  const spec = scenarioOn(new MemorySystem(3), { reruns: 2 })
  const reproducer: Reproducer = {
    reproducer: 1,
    scenario: { id: 'S1', name: 'S', location: null },
    system: spec.system.name,
    seed: 7,
    violation: { checker: 'linearizable', types: [], explanation: '' },
    tries: 2,
    faults: [],
    load: { kind: 'workload', clients: 1, durationMs: 100 },
  }
  const passes = new Passes(spec, undefined, {
    name: 'S',
    location: null,
    sessionDir: 'nowhere',
    tier: 'smoke',
    signal: new AbortController().signal,
    progress: () => undefined,
  })
  passes.run = ({ name, purpose }) => Promise.resolve(runRecord({ name, purpose, ...outcomes.shift() }))
  passes.ended = () => undefined
  const runs: RunRecord[] = []
  await runReproducer(passes, runs, { spec, reproducer })
  return runs.map(({ name, purpose }) => `${purpose} ${name}`)
}

it('is tried as often as it says, and no more', async () => {
  expect(await played({}, {}, violated)).toEqual(['seed seed-7', 'seed seed-7-try-2'])
})

it('is run again once it has shown the violation', async () => {
  expect(await played({}, violated, {}, violated)).toEqual([
    'seed seed-7',
    'seed seed-7-try-2',
    'rerun seed-7-try-2-rerun-1',
    'rerun seed-7-try-2-rerun-2',
  ])
})

it('ends where a run does not go to its end', async () => {
  const error = { phase: 'start', kind: 'environment', message: 'no port', hint: null } as const
  expect(await played({ error }, violated)).toEqual(['seed seed-7'])
})
