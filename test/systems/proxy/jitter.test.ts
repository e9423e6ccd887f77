import { expect, test } from 'vitest'
import { jitteredDelay } from '../../../src/systems/proxy/jitter.js'

function draw(name: string, delayMs: number, jitterMs: number, seed = 1): readonly number[] {
  const delay = jitteredDelay(name, { delayMs, jitterMs, seed })
  return Array.from({ length: 200 }, delay)
}

test('delays spread over the whole jitter, and never below zero', () => {
  const delays = draw('n1->n2', 50, 10)
  expect(Math.min(...delays)).toBeGreaterThanOrEqual(40)
  expect(Math.min(...delays)).toBeLessThan(42)
  expect(Math.max(...delays)).toBeLessThan(60)
  expect(Math.max(...delays)).toBeGreaterThan(58)
  expect(Math.min(...draw('n1->n2', 1, 10))).toBe(0)
})

test('the same link and seed draw the same delays again, others draw others', () => {
  expect(draw('n1->n2', 50, 10)).toEqual(draw('n1->n2', 50, 10))
  expect(draw('n1->n2', 50, 10)).not.toEqual(draw('n2->n1', 50, 10))
  expect(draw('n1->n2', 50, 10)).not.toEqual(draw('n1->n2', 50, 10, 2))
  expect(new Set(draw('n1->n2', 50, 0))).toEqual(new Set([50]))
})
