import { describe, expect, it } from 'vitest'
import { faultDifferences } from '../../../src/scenario/runs/rerun.js'
import type { RunRecord } from '../../../src/session/record.js'
import { faultWindow, runRecord } from '../../session/records.js'

type Fired = RunRecord['schedule'][number]['faults'][number]

function fired(id: string, changes: Partial<Fired> = {}): Fired {
  return {
    fault: 'kill node=random',
    afterMs: 0,
    forMs: 1_000,
    id,
    drawn: [{ target: 'random', nodes: ['n2'] }],
    skipped: null,
    recoveredMs: null,
    ...changes,
  }
}

function run(faults: Fired[], targets: readonly string[]): RunRecord {
  return runRecord({
    schedule: [{ declared: 'random (kill node=random)', faults }],
    faults: targets.map((target, index) => faultWindow({ id: `F${index + 1}`, fault: 'kill', target })),
  })
}

describe('what differs in the faults of a re-run', () => {
  const original = run([fired('F1'), fired('F2')], ['n2', 'n2'])

  it('is nothing when kinds and drawn targets are the same', () => {
    expect(faultDifferences(original, run([fired('F1'), fired('F2')], ['n2', 'n2']))).toEqual([])
  })

  it('is another draw, which must not be', () => {
    const other = fired('F2', { drawn: [{ target: 'random', nodes: ['n3'] }] })
    expect(faultDifferences(original, run([fired('F1'), other], ['n2', 'n3']))).toEqual([
      'its faults are not those of seed-42: kill node=random (random = n3) instead of kill node=random (random = n2)',
    ])
  })

  it('is a fault that was left out', () => {
    const left = fired('', { id: null, drawn: [], skipped: 'no quorum' })
    expect(faultDifferences(original, run([fired('F1'), left], ['n2']))[0]).toMatch(
      /kill node=random, left out instead/,
    )
  })

  it('is that it ended sooner, in any of its schedules', () => {
    expect(faultDifferences(original, run([fired('F1')], ['n2']))).toEqual([
      '1 fault went in before it ended, 2 in seed-42',
    ])
  })

  it('is that one of its schedules had more and another fewer', () => {
    const two = (first: number, second: number) => {
      const faults = Array.from({ length: first + second }, (_, index) => fired(`F${index + 1}`))
      return runRecord({
        schedule: [
          { declared: 'one', faults: faults.slice(0, first) },
          { declared: 'other', faults: faults.slice(first) },
        ],
        faults: faults.map(({ id }) => faultWindow({ id: id!, fault: 'kill', target: 'n2' })),
      })
    }
    expect(faultDifferences(two(2, 1), two(1, 2))).toEqual([
      'one: 1 fault instead of 2 in seed-42',
      'other: 2 faults instead of 1 in seed-42',
    ])
  })

  it('is that a fault landed in one of the two only', () => {
    const landed = (is: boolean) =>
      runRecord({ faults: [faultWindow({ landed: is, cause: is ? null : 'no operation met it' })] })
    expect(faultDifferences(landed(true), landed(false))).toEqual([
      'F1 partition did not land here, it did in seed-42: no operation met it',
    ])
    expect(faultDifferences(landed(false), landed(true))).toEqual([
      'F1 partition landed here, it did not in seed-42',
    ])
  })

  it('is a role that another node had, in the same words', () => {
    const leader = { fault: 'partition isolate=leader', drawn: [] }
    const before = run([fired('F1', leader)], ['n1 | n2, n3'])
    expect(faultDifferences(before, run([fired('F1', leader)], ['n2 | n1, n3']))).toEqual([
      'F1 kill: n2 | n1, n3 here, n1 | n2, n3 in seed-42',
    ])
  })

  it('is another fault of a body', () => {
    const byHand = (fault: string) => runRecord({ schedule: [], faults: [faultWindow({ fault })] })
    expect(faultDifferences(byHand('kill'), byHand('pause'))).toHaveLength(1)
  })
})
