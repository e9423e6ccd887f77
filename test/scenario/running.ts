import { linearizable } from '../../src/checkers/index.js'
import { claim } from '../../src/claim/declare.js'
import { register } from '../../src/models/index.js'
import type { ScenarioBody } from '../../src/scenario/pass/drive/body.js'
import { runScenario } from '../../src/scenario/run.js'
import type { ScenarioSpec } from '../../src/scenario/spec.js'
import { system } from '../../src/scenario/system.js'
import { createSession } from '../../src/session/session.js'
import { workload } from '../../src/workload/index.js'
import { temporaryDirectory } from '../support/temporary.js'
import type { MemorySystem, MemoryClient } from './memory-system.js'

const safe = claim('C1', 'Reads return the latest write', { categories: ['safety'] })

const traffic = workload<MemoryClient>({
  clients: 3,
  think: '2ms',
  keys: { count: 2 },
  operations: {
    write: { run: ({ client, key, value }) => client.put(key, value) },
    read: { run: ({ client, key }) => client.get(key) },
  },
})

/** A register on the memory system under a short workload. */
export function scenarioOn(
  memory: MemorySystem,
  changes: Partial<ScenarioSpec<MemoryClient>> = {},
): ScenarioSpec {
  const spec: ScenarioSpec<MemoryClient> = {
    id: 'S1',
    falsifies: [safe],
    system: system<MemoryClient>('memory', {
      nodes: memory.provider(),
      connect: (node) => memory.client(node.name),
      ready: () => Promise.resolve(true),
      settle: '300ms',
    }),
    model: register(),
    workload: traffic,
    checkers: [linearizable()],
    budget: { smoke: { duration: '200ms', nodes: 3, faults: 0, seeds: 1 } },
    ...changes,
  }
  return spec
}

/** Runs a scenario in a session directory of its own. */
export async function run(spec: ScenarioSpec, body?: ScenarioBody, signal = new AbortController().signal) {
  const sessionDir = await temporaryDirectory()
  await createSession(sessionDir)
  const phases: string[] = []
  const outcomes: (readonly [run: string, outcome: string])[] = []
  const record = await runScenario(spec, body, {
    name: 'reads_return_the_latest_write',
    location: 'a.scenario.ts:1',
    sessionDir,
    tier: 'smoke',
    signal,
    progress: ({ phase, run: name, outcome }) => {
      if (outcome === null) phases.push(phase)
      else outcomes.push([name, outcome])
    },
  })
  return { record, sessionDir, phases, outcomes }
}
