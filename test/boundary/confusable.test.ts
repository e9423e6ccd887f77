import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { confusable, unlike } from '../../src/boundary/confusable/confusable.js'
import {
  confusions,
  type Confusion,
  type Identifier,
  type IdentifierPair,
} from '../../src/boundary/confusable/confusion.js'
import { DeclarationError } from '../../src/errors.js'

/** What the system that takes the two for one does with them, as a predicate of both. */
const mistaken: Readonly<Record<Confusion, (one: Identifier, other: Identifier) => boolean>> = {
  'same-name': (one, other) => one.id === other.id,
  'recycled-id': (one, other) => one.id === other.id,
  'prefix-collision': (one, other) => one.scope.startsWith(other.scope) || other.scope.startsWith(one.scope),
  'case-folding': (one, other) => one.scope.toLowerCase() === other.scope.toLowerCase(),
  'embedded-separator': (one, other) =>
    ['/', ':', '.', '-', '_', '|'].some(
      (separator) => [one.scope, one.id].join(separator) === [other.scope, other.id].join(separator),
    ),
  'trailing-characters': (one, other) => stripped(one.scope) === stripped(other.scope),
  'off-by-one': (one, other) => Math.abs(Number(one.id) - Number(other.id)) === 1,
  'integer-overflow': (one, other) =>
    Number(one.id) === Number(other.id) ||
    [8, 16, 32, 64].some(
      (bits) => BigInt.asUintN(bits, BigInt(one.id)) === BigInt.asUintN(bits, BigInt(other.id)),
    ),
  'unicode-normalisation': (one, other) => one.scope.normalize('NFKC') === other.scope.normalize('NFKC'),
}

const stripped = (text: string) => text.replace(/[\s\0\u200B.]+$/, '')

const isPair = ({ ours, theirs }: IdentifierPair) => ours.scope !== theirs.scope || ours.id !== theirs.id

describe('confusable', () => {
  it.each(confusions)('%s: two things that a careless system takes for one', (kind) => {
    fc.assert(
      fc.property(confusable(kind), (pair) => {
        expect(pair.kind).toBe(kind)
        expect(isPair(pair)).toBe(true)
        // Different scopes: what is read through the confusion belongs to someone else.
        expect(pair.ours.scope).not.toBe(pair.theirs.scope)
        expect(mistaken[kind](pair.ours, pair.theirs)).toBe(true)
      }),
    )
  })

  it('draws of the kinds that are asked for, and of all without', () => {
    const drawn = (...kinds: readonly Confusion[]) =>
      new Set(fc.sample(confusable(...kinds), { numRuns: 500, seed: 1 }).map(({ kind }) => kind))
    expect(drawn()).toEqual(new Set(confusions))
    expect(drawn('off-by-one', 'same-name')).toEqual(new Set(['off-by-one', 'same-name']))
  })

  it('draws both ways where it makes a difference', () => {
    const longer = fc
      .sample(confusable('prefix-collision'), { numRuns: 50, seed: 1 })
      .map(({ ours, theirs }) => ours.scope.length > theirs.scope.length)
    expect(new Set(longer)).toEqual(new Set([true, false]))
  })

  it('says what kinds there are', () => {
    expect(() => confusable('typos' as Confusion)).toThrow(DeclarationError)
    expect(() => confusable('typos' as Confusion)).toThrow(/"typos"[^]*prefix-collision/)
  })
})

describe('unlike', () => {
  it('has nothing in common', () => {
    fc.assert(
      fc.property(unlike(), ({ kind, ours, theirs }) => {
        expect(kind).toBe('unlike')
        expect(new Set([ours.scope, ours.id, theirs.scope, theirs.id]).size).toBe(4)
      }),
    )
  })
})
