import { beforeAll, expect, it } from 'vitest'
import type { ScenarioRecord } from '../../src/session/record.js'
import { runExample } from './run-example.js'

/** Half a minute of random faults on one of the systems: every one that goes in lands, is undone, and the system recovers. */
export function halfAMinuteOf(file: string, id: string, { checked }: { readonly checked: number }): void {
  let record: ScenarioRecord

  beforeAll(async () => {
    const run = await runExample('random-faults', { timeoutMs: 600_000, files: [`${file}.scenario`] })
    record = run.scenario(id)
  }, 640_000)

  it('keeps what the system promises', () => {
    expect(record.ruling).toMatchObject({ verdict: 'PASS-smoke' })
    const [run] = record.runs
    expect(run?.checks.map(({ valid }) => valid)).toEqual(Array.from({ length: checked }, () => true))
    // A history without answers holds every claim.
    expect(run?.load?.ok).toBeGreaterThan(100)
  })

  it('proves each fault, undoes it, and comes back', () => {
    const [run] = record.runs
    const drawn = run?.schedule.flatMap(({ faults }) => faults) ?? []
    expect(run?.faults.length).toBeGreaterThan(0)
    for (const window of run?.faults ?? []) {
      expect(window).toMatchObject({ landed: true, cause: null, healed_ts: expect.any(Number) })
      expect(window.healed.length).toBeGreaterThan(0)
      expect(drawn.find(({ id: one }) => one === window.id)?.recoveredMs).toEqual(expect.any(Number))
    }
    expect(run?.recoveryMs).toEqual(expect.any(Number))
  })
}
