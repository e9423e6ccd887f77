import { expect, it } from 'vitest'
import { bitsPerSecond } from '../../src/nemesis/faults/rate.js'

it.each([
  [64_000, 64_000],
  ['1mbit', 1_000_000],
  ['2.5 Gbit', 2_500_000_000],
  ['500kbit', 500_000],
  ['8000bit', 8_000],
  ['999bit', null],
  ['1mbps', null],
  ['mbit', null],
  ['', null],
  [Number.NaN, null],
  [Infinity, null],
])('%s is %s bits a second', (rate, bits) => {
  expect(bitsPerSecond(rate)).toBe(bits)
})
