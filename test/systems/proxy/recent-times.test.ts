import { expect, test } from 'vitest'
import { RecentTimes } from '../../../src/systems/proxy/recent-times.js'

test('the median is that of the last times, and of those since a mark', () => {
  const times = new RecentTimes()
  expect(times.median()).toBeNull()
  for (let ms = 1; ms <= 200; ms++) times.add(ms)
  // The last 64 are 137 to 200.
  expect(times.median()).toBe(169)
  const mark = times.count
  expect(times.median(mark)).toBeNull()
  times.add(7)
  times.add(9)
  times.add(8)
  expect(times.median(mark)).toBe(8)
})
