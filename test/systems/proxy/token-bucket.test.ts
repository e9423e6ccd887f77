import { expect, test } from 'vitest'
import { tokenBucket } from '../../../src/systems/proxy/token-bucket.js'

test('lets a burst through and makes the rest wait for its turn', () => {
  let now = 1_000
  const bucket = tokenBucket(8_000, () => now)
  // One byte a millisecond.
  expect(bucket.waitMs(20)).toBe(0)
  expect(bucket.waitMs(100)).toBe(0)
  expect(bucket.waitMs(50)).toBe(100)
  expect(bucket.waitMs(0)).toBe(150)
  now += 150
  expect(bucket.waitMs(10)).toBe(0)
  now += 1_000
  expect(bucket.waitMs(500)).toBe(0)
  expect(bucket.waitMs(1)).toBe(480)
})

test('cuts data into what the link sends in 10 ms, and keeps what it sends in 200 ms', () => {
  const fast = tokenBucket(80_000_000)
  expect(fast.pieceBytes).toBe(100_000)
  expect(fast.heldBytesMax).toBe(2_000_000)
  expect(tokenBucket(8_000).pieceBytes).toBe(512)
})
