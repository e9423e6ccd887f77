import { describe, expect, it } from 'vitest'
import { ProgressLines } from '../../../reporters/terminal/progress-lines.js'

const progress = {
  scenario: 'keeps_writes',
  run: 'seed-7',
  phase: 'workload',
  operations: 1_800,
  opsPerSecond: 180,
  activeFaults: ['F1 partition'],
  secondsLeft: 12,
  outcome: null,
}

describe('ProgressLines', () => {
  it('prints at most a line each ten seconds', () => {
    let now = 0
    const printed: string[] = []
    const lines = new ProgressLines(
      (line) => printed.push(line),
      () => now,
    )
    for (; now <= 25_000; now += 500) lines.report(progress)
    expect(printed).toHaveLength(2)
    for (const part of [
      'keeps_writes',
      'workload of seed-7',
      '1800 operations, 180/s',
      'F1 partition',
      '12 s left',
    ]) {
      expect(printed[0]).toContain(part)
    }
  })

  it('waits longer after something else was printed', () => {
    let now = 0
    const printed: string[] = []
    const lines = new ProgressLines(
      (line) => printed.push(line),
      () => now,
    )
    now = 9_000
    lines.rest()
    now = 15_000
    lines.report(progress)
    expect(printed).toEqual([])
  })

  it('prints the end of each run at once', () => {
    const printed: string[] = []
    const lines = new ProgressLines(
      (line) => printed.push(line),
      () => 0,
    )
    lines.report({ ...progress, outcome: 'no violation, 940 operations' })
    lines.report({ ...progress, run: 'seed-8', outcome: 'violation (linearizable)' })
    expect(printed).toHaveLength(2)
    expect(printed[0]).toContain('keeps_writes  seed-7: no violation, 940 operations')
    expect(printed[1]).toContain('seed-8: violation (linearizable)')
  })
})
