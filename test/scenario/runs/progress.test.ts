import { expect, it } from 'vitest'
import { progressOf, type Progress } from '../../../src/scenario/runs/progress.js'
import type { Pass } from '../../../src/scenario/pass/setup.js'

/** What is heard of a pass whose clock stands at `now` seconds when it begins to drive, and a second later. */
function heard({ now, body }: { readonly now: number; readonly body?: () => void }): Progress[] {
  const told: Progress[] = []
  const { onPhase, onDriving } = progressOf({ name: 'S', progress: (one) => void told.push(one) }, 'seed-1')
  let operations = 0
  let at = now * 1e9
  const pass = {
    recorder: { count: () => operations },
    clock: { now: () => at },
    input: { durationMs: 30_000, body },
  } as unknown as Pass
  onPhase('start')
  onPhase('drive')
  onDriving(pass, [])
  operations = 100
  at += 1e9
  onDriving(pass, ['F1 kill'])
  return told
}

it('counts the time that is left from the start of the workload, not of the system', () => {
  expect(heard({ now: 20 }).map(({ secondsLeft }) => secondsLeft)).toEqual([null, null, 30, 29])
})

it('tells the rate of the last moment', () => {
  expect(heard({ now: 20 }).at(-1)).toMatchObject({ opsPerSecond: 100, activeFaults: ['F1 kill'] })
})

it('does not know how long a body takes', () => {
  expect(heard({ now: 20, body: () => undefined }).at(-1)?.secondsLeft).toBeNull()
})
