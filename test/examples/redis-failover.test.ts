import { beforeAll, expect, it } from 'vitest'
import { requires } from '../support/requirements.js'
import { runExample, type ExampleRun } from './run-example.js'

requires('redis')('examples/redis-failover', () => {
  let run: ExampleRun

  beforeAll(async () => {
    run = await runExample('redis-failover', { timeoutMs: 330_000 })
  }, 360_000)

  it('lists the acknowledged writes that a failover loses', () => {
    const { ruling, runs } = run.scenario('S1')
    expect(ruling).toMatchObject({ verdict: 'FAIL-reproducible' })
    expect(runs[0]?.faults.map(({ fault, landed }) => [fault, landed])).toEqual([['partition', true]])
    const lost = runs[0]!.checks.find(({ checker }) => checker === 'no-lost-ack')
    expect(lost?.valid).toBe(false)
    // The operator promotes the replica only after the old primary has acknowledged that many on its own.
    expect(lost?.anomalies.length).toBeGreaterThanOrEqual(30)
  })

  it('loses none when the client waits for the replica and the old primary is fenced off', () => {
    const { ruling, runs } = run.scenario('S2')
    expect(ruling).toMatchObject({ verdict: 'PASS-smoke' })
    expect(runs[0]?.faults.map(({ landed }) => landed)).toEqual([true])
    expect(runs[0]?.checks.map(({ valid }) => valid)).toEqual([true, true])
    // Nothing can be lost of nothing: 50 before the cut, 20 after the failover.
    const kept = runs[0]!.checks.find(({ checker }) => checker === 'no-lost-ack')
    expect(kept?.evidence['acknowledged']).toBeGreaterThanOrEqual(70)
  })
})
