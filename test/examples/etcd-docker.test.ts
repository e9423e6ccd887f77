import { beforeAll, expect, it } from 'vitest'
import { requires } from '../support/requirements.js'
import { runExample, type ExampleRun } from './run-example.js'

requires(
  'docker',
  'etcd',
  'nft',
)('examples/etcd-docker', () => {
  let run: ExampleRun

  beforeAll(async () => {
    run = await runExample('etcd-docker', { timeoutMs: 500_000 })
  }, 540_000)

  it('keeps linearizable reads fresh while the leader is half cut off, and paused', () => {
    const { ruling, runs } = run.scenario('S1')
    expect(ruling).toMatchObject({ verdict: 'PASS-smoke' })
    expect(runs[0]?.faults.map(({ fault, landed }) => [fault, landed])).toEqual([
      ['asymmetric-partition', true],
      ['pause', true],
    ])
    // A history without answers holds every claim.
    expect(runs[0]?.load?.ok).toBeGreaterThan(100)
  })

  it('finds that serializable reads are stale', () => {
    const { ruling, runs } = run.scenario('S2')
    expect(ruling).toMatchObject({ verdict: 'FAIL-reproducible' })
    expect(runs[0]?.checks[0]?.anomalies.length).toBeGreaterThan(0)
  })
})
