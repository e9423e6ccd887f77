import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ddmin } from '../../../src/findings/reduction/ddmin.js'

const longest = 8

/** A predicate on parts of the first `size` numbers, as a table over bit masks. */
interface Table {
  readonly size: number
  readonly fails: readonly boolean[]
}

const maskOf = (part: readonly number[]) => part.reduce((mask, item) => mask | (1 << item), 0)

/** Any predicate that holds of the whole list. */
const anyTable: fc.Arbitrary<Table> = fc
  .integer({ min: 0, max: longest })
  .chain((size) =>
    fc
      .array(fc.boolean(), { minLength: 2 ** size, maxLength: 2 ** size })
      .map((fails) => ({ size, fails: fails.map((value, mask) => value || mask === 2 ** size - 1) })),
  )

/** A predicate that holds of every part which contains one of a few cores. */
const monotone: fc.Arbitrary<Table> = fc.integer({ min: 1, max: longest }).chain((size) =>
  fc.array(fc.integer({ min: 0, max: 2 ** size - 1 }), { minLength: 1, maxLength: 3 }).map((cores) => ({
    size,
    fails: Array.from({ length: 2 ** size }, (_, mask) => cores.some((core) => (mask & core) === core)),
  })),
)

async function reduce({ size, fails }: Table) {
  const asked: number[] = []
  const items = Array.from({ length: size }, (_, index) => index)
  const { kept, minimal } = await ddmin(items, async (part) => {
    asked.push(maskOf(part))
    return fails[maskOf(part)]!
  })
  return { kept, minimal, asked }
}

describe('ddmin', () => {
  it('ends at a failing part from which no single item can go, for any predicate', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, async (table) => {
        const { kept, minimal } = await reduce(table)
        const mask = maskOf(kept)
        expect(table.fails[mask]).toBe(true)
        expect(minimal).toBe(true)
        for (const item of kept) expect(table.fails[mask & ~(1 << item)]).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('ends at a part of which no smaller part fails, when more items never make it pass', async () => {
    await fc.assert(
      fc.asyncProperty(monotone, async (table) => {
        const mask = maskOf((await reduce(table)).kept)
        for (let part = mask - 1; part >= 0; part--) {
          if ((part & mask) === part) expect(table.fails[part]).toBe(false)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('keeps the order and asks about no part twice', async () => {
    await fc.assert(
      fc.asyncProperty(anyTable, async (table) => {
        const { kept, asked } = await reduce(table)
        expect(kept).toEqual(kept.toSorted((a, b) => a - b))
        expect(new Set(asked).size).toBe(asked.length)
      }),
    )
  })

  it('has the best so far, and does not call it minimal, when there is no more trying', async () => {
    await fc.assert(
      fc.asyncProperty(monotone, fc.integer({ min: 0, max: 6 }), async ({ size, fails }, budget) => {
        let left = budget
        let best = 2 ** size - 1
        const items = Array.from({ length: size }, (_, index) => index)
        const { kept, minimal } = await ddmin(items, async (part) => {
          if (left-- <= 0) return null
          const answer = fails[maskOf(part)]!
          if (answer) best = maskOf(part)
          return answer
        })
        expect(maskOf(kept)).toBe(best)
        if (left < 0) expect(minimal).toBe(false)
      }),
    )
  })

  it('needs few questions for one needed item of many', async () => {
    const items = Array.from({ length: 256 }, (_, index) => index)
    let asked = 0
    const { kept } = await ddmin(items, async (part) => {
      asked += 1
      return part.includes(100)
    })
    expect(kept).toEqual([100])
    expect(asked).toBeLessThan(40)
  })
})
