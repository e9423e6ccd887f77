import { describe, expect, it } from 'vitest'
import { categories, isSerious, isSeriousCategory, type Category } from '../../src/claim/claim.js'
import { claim } from '../../src/claim/declare.js'

const serious: readonly Category[] = [
  'safety',
  'durability',
  'idempotency',
  'isolation',
  'ordering',
  'membership',
]

describe('a claim', () => {
  it('has what is told of it, and defaults for the rest', () => {
    expect(claim('C1', 'An acknowledged write is never lost', { categories: ['durability'] })).toEqual({
      id: 'C1',
      text: 'An acknowledged write is never lost',
      categories: ['durability'],
      source: null,
      inferred: false,
      anySize: false,
    })
    const told = { categories: ['safety'], source: 'docs/a.md:7', inferred: true, anySize: true } as const
    expect(claim('C2.read-only', 'Reads are fresh', told)).toMatchObject(told)
  })

  it.each([
    ['an id that is no short name', () => claim('1 claim', 'x', { categories: ['safety'] }), /a short name/],
    ['an empty text', () => claim('C1', '', { categories: ['safety'] }), /text/],
    ['no category', () => claim('C1', 'x', { categories: [] }), /categories/],
    ['an unknown category', () => claim('C1', 'x', { categories: ['speed' as never] }), /categories/],
    ['no options at all', () => claim('C1', 'x', undefined as never), /categories/],
    ['an id that is no text', () => claim(7 as never, 'x', { categories: ['safety'] }), /id/],
  ])('is refused with %s', (_, declare, why) => {
    expect(declare).toThrow(why)
    expect(declare).toThrow(/write claim\('C1'/)
  })
})

it.each(categories)('a scenario that falsifies a claim about %s is serious or not', (category) => {
  const about = (...all: Category[]) => claim('C1', 'x', { categories: all })
  expect(isSeriousCategory(category)).toBe(serious.includes(category))
  expect(isSerious([about(category)])).toBe(serious.includes(category))
  expect(isSerious([about('liveness'), about('performance-slo', category)])).toBe(serious.includes(category))
})

it('a scenario without claims is not serious', () => {
  expect(isSerious([])).toBe(false)
  expect(isSeriousCategory('toString')).toBe(false)
})
