import { describe, expect, test } from 'vitest'
import type { HostSample } from '../../../src/environment/host/reading.js'
import { hostSignals } from '../../../src/environment/host/signals.js'

const mib = 1_024 ** 2
const half = 500e6

const disk = (freeMib: number, changes = {}) => ({
  name: 'session directory',
  freeBytes: freeMib * mib,
  totalBytes: 250_000 * mib,
  filesUsedUp: false,
  ...changes,
})

/** Readings twice a second; `change` says what is different from a machine on which nothing happens. */
function samples(count: number, change: (index: number) => Partial<HostSample> = () => ({})): HostSample[] {
  return Array.from({ length: count }, (_, index) => ({
    ts: index * half,
    cpu: { stolen: index, all: index * 100 },
    throttledMs: 0,
    oomKills: [7, 0],
    wallAheadMs: 1_000 + index * 0.2,
    disks: [disk(70_000)],
    stallMs: 120,
    ...change(index),
  }))
}

test('a busy machine shows nothing', () => {
  expect(hostSignals(samples(60))).toEqual([])
})

describe('stolen time', () => {
  const stolenFrom = (from: number, to: number) =>
    samples(20, (index) => ({
      cpu: { stolen: Math.min(Math.max(0, index - from), to - from) * 37, all: index * 100 },
    }))

  test('a second or more counts, with how much it was', () => {
    expect(hostSignals(stolenFrom(4, 8))).toEqual([
      {
        kind: 'steal',
        from_ts: 4 * half,
        to_ts: 8 * half,
        detail: '37% of the processor time was stolen by other machines over 2.0 s',
      },
    ])
  })

  test('half a second does not', () => {
    expect(hostSignals(stolenFrom(4, 5))).toEqual([])
  })
})

test('throttling', () => {
  const throttled = samples(20, (index) => ({ throttledMs: index < 10 ? 0 : (index - 10) * 400 }))
  expect(hostSignals(throttled)).toMatchObject([
    {
      kind: 'throttling',
      from_ts: 10 * half,
      to_ts: 19 * half,
      detail: expect.stringMatching(/^80% of the time/),
    },
  ])
})

test.each([
  [[8, 0], '1 process was killed for want of memory'],
  [[9, 2], '2 processes were killed for want of memory'],
  [[7, 1], '1 process was killed for want of memory'],
])('OOM kills by counters %j', (oomKills, detail) => {
  const killed = samples(6, (index) => (index < 3 ? {} : { oomKills }))
  expect(hostSignals(killed)).toEqual([{ kind: 'oom-kill', from_ts: 2 * half, to_ts: 3 * half, detail }])
})

test.each([
  [2_000, 'forward by 2000 ms'],
  [-150, 'back by 150 ms'],
])('a clock step of %d ms', (step, words) => {
  const stepped = samples(6, (index) => ({ wallAheadMs: 1_000 + (index < 3 ? 0 : step) }))
  expect(hostSignals(stepped)).toMatchObject([
    { kind: 'clock-step', from_ts: 2 * half, to_ts: 3 * half, detail: expect.stringContaining(words) },
  ])
})

test('a clock that is slewed is not stepped', () => {
  expect(hostSignals(samples(600, (index) => ({ wallAheadMs: index * 0.25 })))).toEqual([])
})

describe('full disks', () => {
  test('from the reading before the first one below the threshold to the last', () => {
    const filling = samples(8, (index) => ({
      disks: [disk([900, 60, 1.5, 30, 900, 900, 900, 10][index] ?? 0)],
    }))
    expect(hostSignals(filling)).toEqual([
      {
        kind: 'disk-full',
        from_ts: 0,
        to_ts: 3 * half,
        detail: 'session directory: 1.5 of 250000 MiB were free',
      },
      {
        kind: 'disk-full',
        from_ts: 6 * half,
        to_ts: 7 * half,
        detail: 'session directory: 10 of 250000 MiB were free',
      },
    ])
  })

  test('a small disk with room on it is not full', () => {
    expect(hostSignals(samples(4, () => ({ disks: [disk(30, { totalBytes: 40 * mib })] })))).toEqual([])
    expect(hostSignals(samples(4, () => ({ disks: [disk(1, { totalBytes: 40 * mib })] })))).toHaveLength(1)
  })

  test('nor can a file be made without an inode', () => {
    const [signal] = hostSignals(samples(3, () => ({ disks: [disk(900, { filesUsedUp: true })] })))
    expect(signal).toMatchObject({ detail: 'session directory: no further file can be made' })
  })

  test('a directory that is gone says nothing', () => {
    expect(hostSignals(samples(4, (index) => (index > 1 ? { disks: [] } : {})))).toEqual([])
  })
})

test('our own process stood still', () => {
  const stalled = samples(5, (index) => (index === 3 ? { stallMs: 1_840 } : {}))
  expect(hostSignals(stalled)).toEqual([
    {
      kind: 'stall',
      from_ts: 2 * half,
      to_ts: 3 * half,
      detail: 'the test process itself stood still for 1840 ms',
    },
  ])
})

test('what is not known is no signal', () => {
  expect(hostSignals(samples(9, () => ({ cpu: null, throttledMs: null, oomKills: [], disks: [] })))).toEqual(
    [],
  )
  expect(hostSignals([])).toEqual([])
})
