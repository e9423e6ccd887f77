import { expect, test } from 'vitest'
import type { HostReading, HostSource } from '../../../src/environment/host/reading.js'
import { HostWatch } from '../../../src/environment/host/watch.js'

const quiet: HostReading = {
  cpu: null,
  throttledMs: null,
  oomKills: [],
  wallAheadMs: 1_000,
  disks: [],
  stallMs: 0,
}

/** A machine that is read at the given times, in seconds, and answers as long as `answers` says. */
async function watched(times: readonly number[], answers: (seconds: number) => boolean) {
  let seconds = times[0] ?? 0
  const source: HostSource = {
    watched: ['clocks'],
    unwatched: ['cpu.stat: there is none'],
    read: () => (answers(seconds) ? Promise.resolve(quiet) : Promise.reject(new Error('no such group'))),
    close: () => {},
  }
  const watch = new HostWatch({ source, now: () => seconds * 1e9 })
  await new Promise(setImmediate)
  seconds = times.at(-1) ?? 0
  await watch.stop()
  return watch.host
}

test('what was read up to the end was watched', async () => {
  expect(await watched([1, 60], () => true)).toEqual({
    watched: ['clocks'],
    unwatched: ['cpu.stat: there is none'],
    signals: [],
  })
})

test('a machine that tells nothing for the last moments was watched', async () => {
  expect(await watched([1, 6], (seconds) => seconds < 6)).toMatchObject({ watched: ['clocks'] })
})

test('readings that stop for good are no quiet', async () => {
  expect(await watched([1, 60], (seconds) => seconds < 60)).toEqual({
    watched: [],
    unwatched: ['clocks: no reading after 1.0 s', 'cpu.stat: there is none'],
    signals: [],
  })
})

test('nor is a machine that was never read', async () => {
  expect(await watched([1, 60], () => false)).toMatchObject({ watched: [] })
})
