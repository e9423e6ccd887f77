import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawGroups, type Envelope, type Group } from '../../../src/nemesis/schedule/draw.js'
import { Random } from '../../../src/random/random.js'
import { randomHistories } from '../../support/random-histories.js'

const envelopes: fc.Arbitrary<Envelope> = fc
  .record({
    holds: fc.array(fc.option(fc.nat(5_000)), { minLength: 1, maxLength: 5 }),
    maxOverlap: fc.integer({ min: 1, max: 4 }),
    quietMs: fc.nat(10_000),
    forMs: fc.tuple(fc.nat(5_000), fc.nat(5_000)),
  })
  .map(({ forMs: [one, other], ...rest }) => ({
    ...rest,
    forMs: [Math.min(one, other), Math.max(one, other)] as const,
  }))

const seeds = fc.nat(2 ** 32 - 1)

function first(count: number, envelope: Envelope, seed: number): readonly Group[] {
  const drawing = drawGroups(envelope, new Random(seed))
  return Array.from({ length: count }, () => drawing.next().value)
}

describe('drawGroups', () => {
  it('never leaves the envelope', () => {
    const within = (envelope: Envelope, { pauseMs, faults }: Group) => {
      expect(faults.length).toBeGreaterThanOrEqual(1)
      expect(faults.length).toBeLessThanOrEqual(envelope.maxOverlap)
      expect(pauseMs).toBeGreaterThanOrEqual(envelope.quietMs)
      expect(pauseMs).toBeLessThanOrEqual(2 * envelope.quietMs)
      expect(faults[0]?.afterMs).toBe(0)
      for (const [index, { kind, afterMs, forMs }] of faults.entries()) {
        const hold = envelope.holds[kind]
        expect(hold).not.toBeUndefined()
        if (hold === null) {
          expect(forMs).toBeGreaterThanOrEqual(envelope.forMs[0])
          expect(forMs).toBeLessThanOrEqual(envelope.forMs[1])
        } else expect(forMs).toBe(hold)
        if (index === 0) continue
        const before = faults.slice(0, index)
        expect(afterMs).toBeGreaterThanOrEqual(before.at(-1)?.afterMs ?? 0)
        expect(before.some((one) => one.afterMs + one.forMs >= afterMs)).toBe(true)
      }
    }
    const property = fc.property(envelopes, seeds, (envelope, seed) => {
      for (const group of first(6, envelope, seed)) within(envelope, group)
    })
    fc.assert(property, { numRuns: Math.min(randomHistories(300, 1), 3_000) })
  })

  it('draws the same from the same seed, and all that an envelope allows from many', () => {
    const envelope: Envelope = { holds: [null, null, 0], maxOverlap: 3, quietMs: 100, forMs: [10, 20] }
    expect(first(50, envelope, 7)).toEqual(first(50, envelope, 7))
    expect(first(50, envelope, 7)).not.toEqual(first(50, envelope, 8))
    const drawn = first(300, envelope, 7)
    expect(new Set(drawn.map(({ faults }) => faults.length))).toEqual(new Set([1, 2, 3]))
    expect(new Set(drawn.flatMap(({ faults }) => faults.map(({ kind }) => kind)))).toEqual(new Set([0, 1, 2]))
  })
})
