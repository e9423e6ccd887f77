import { expect, it } from 'vitest'
import { linearizable, noLostAck } from '../../../src/checkers/index.js'
import type { Candidate } from '../../../src/findings/reduction/candidate.js'
import { Trials } from '../../../src/scenario/reduce/trials.js'
import { Passes } from '../../../src/scenario/runs/passes.js'
import type { RunRecord } from '../../../src/session/record.js'
import { runRecord } from '../../session/records.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { MemorySystem } from '../memory-system.js'
import { scenarioOn } from '../running.js'

const found = (checker: string, type: string): RunRecord['checks'] => [
  {
    ...runRecord().checks[0]!,
    checker,
    valid: false,
    anomalies: [{ type, explanation: 'it is lost', operations: [1] }],
  },
]
const clean = runRecord().checks
const candidate: Candidate = { events: [], load: { kind: 'workload', clients: 1, durationMs: 100 } }

/** Trials of which the runs show these, one after the other. */
async function trialsThatShow(
  violation: RunRecord['checks'],
  shown: readonly RunRecord['checks'][],
  limits: { readonly runs?: number; readonly tries?: number } = {},
) {
  const spec = scenarioOn(new MemorySystem(3), {
    checkers: [linearizable(), noLostAck({ final: () => Promise.resolve(null) })],
  })
  const passes = new Passes(spec, undefined, {
    name: 'S',
    location: null,
    sessionDir: await temporaryDirectory(),
    tier: 'smoke',
    signal: new AbortController().signal,
    progress: () => undefined,
  })
  const left = [...shown]
  passes.run = ({ name }) => Promise.resolve(runRecord({ name, checks: left.shift() ?? clean }))
  passes.ended = () => undefined
  const run = runRecord({ system: spec.system.name, checks: violation })
  return new Trials(passes, {
    violation: { run, check: violation[0]! },
    first: 1,
    runs: limits.runs ?? 20,
    withinMs: 60_000,
    tries: limits.tries ?? 2,
  })
}

const lost = found('no-lost-ack', 'lost-write')

it('the same checker must find an anomaly of the same type', async () => {
  const others = [found('no-lost-ack', 'stale-read'), found('linearizable', 'lost-write'), clean, lost]
  const trials = await trialsThatShow(lost, others)
  expect(await trials.shows(candidate)).toBe(false)
  expect(trials.best).toBeNull()
  expect(await trials.shows(candidate)).toBe(true)
  expect(trials.best?.run.name).toBe('reduce-4')
})

it('of any type where it judges by a model', async () => {
  const trials = await trialsThatShow(found('linearizable', 'stale-read'), [
    found('linearizable', 'lost-write'),
  ])
  expect(await trials.shows(candidate)).toBe(true)
})

it('what is to be left out must show it three times in a row', async () => {
  const twice = await trialsThatShow(lost, [lost, lost, clean, lost])
  expect(await twice.showsSurely(candidate)).toBe(false)
  expect([twice.best, twice.runs]).toEqual([null, 3])
  const thrice = await trialsThatShow(lost, [lost, lost, lost])
  expect(await thrice.showsSurely(candidate)).toBe(true)
  expect(thrice.best?.run.name).toBe('reduce-3')
})

it('there is no answer when the budget is spent, and the best stays', async () => {
  const trials = await trialsThatShow(lost, [lost, lost, lost], { runs: 2 })
  expect(await trials.shows(candidate)).toBe(true)
  expect(await trials.showsSurely(candidate)).toBeNull()
  expect(await trials.shows(candidate)).toBeNull()
  expect(trials.best?.run.name).toBe('reduce-1')
})

it('what is left is confirmed beyond the budget, and only what shows it counts', async () => {
  const trials = await trialsThatShow(lost, [lost, lost, clean, lost], { runs: 1 })
  expect(await trials.confirm(3)).toEqual({ reruns: 0, reproduced: 0 })
  expect(await trials.shows(candidate)).toBe(true)
  expect(await trials.confirm(3)).toEqual({ reruns: 3, reproduced: 2 })
})
