import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { startTimeLimit, vitestLimitMs } from '../../../plugin/vitest/time-limit.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const thirtyDaysMs = 30 * 24 * 3_600_000

it.each([
  ['2 s', 2_000, true],
  ['none', 0, false],
  // More than a timer of Node can wait.
  ['30 days', thirtyDaysMs, false],
])('a limit of %s', (_, limitMs, isOver) => {
  const over = vi.fn()
  startTimeLimit(limitMs, over)
  vi.advanceTimersByTime(1_999)
  expect(over).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(over).toHaveBeenCalledTimes(isOver ? 1 : 0)
})

it('a limit that is lifted never ends', () => {
  const over = vi.fn()
  startTimeLimit(2_000, over).lift()
  vi.advanceTimersByTime(10_000)
  expect(over).not.toHaveBeenCalled()
})

it('Vitest waits for longer, for as long as it can, or without end', () => {
  expect(vitestLimitMs(2_000, 500)).toBe(2_500)
  expect(vitestLimitMs(thirtyDaysMs, 500)).toBe(2_147_483_647)
  expect(vitestLimitMs(0, 500)).toBe(0)
})
