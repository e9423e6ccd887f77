import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RangeTree } from '../../../../../src/checkers/linearizability/exact/containers/range-tree.js'
import { ReturnTree } from '../../../../../src/checkers/linearizability/exact/containers/return-tree.js'

const rank = fc.nat({ max: 20 })

describe('RangeTree', () => {
  it('does what a plain list does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 20 }),
        fc.array(fc.record({ from: rank, to: rank, amount: fc.integer({ min: -3, max: 3 }) })),
        (numbers, additions) => {
          const tree = new RangeTree(Int32Array.from(numbers))
          let list = numbers
          for (const { from, to: limit, amount } of additions) {
            const to = Math.min(limit, numbers.length)
            tree.add(from, to, amount)
            list = list.map((number, place) => (place >= from && place < to ? number + amount : number))
            const range = list.slice(from, to)
            if (range.length > 0) expect(tree.leastOf(from, to)).toBe(Math.min(...range))
            else expect(tree.leastOf(from, to)).toBeGreaterThan(2 ** 28)
            if (list.length === 0) continue
            expect(tree.least).toBe(Math.min(...list))
            expect(tree.placeOfLeast()).toBe(list.indexOf(tree.least))
          }
        },
      ),
    )
  })
})

describe('ReturnTree', () => {
  it('finds the first that returns after a rank and was not removed', () => {
    fc.assert(
      fc.property(
        fc.array(rank, { maxLength: 20 }),
        fc.array(fc.tuple(rank, fc.boolean())),
        (returns, asks) => {
          const tree = new ReturnTree(Int32Array.from(returns))
          const left = [...returns] as (number | null)[]
          for (const [after, removes] of asks) {
            const found = left.findIndex((one) => one !== null && one > after)
            expect(tree.firstAfter(after)).toBe(found)
            if (found < 0 || !removes) continue
            tree.remove(found)
            left[found] = null
          }
        },
      ),
    )
  })
})
