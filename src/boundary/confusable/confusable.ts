import fc, { type Arbitrary } from 'fast-check'
import { DeclarationError } from '../../errors.js'
import { confusions, type Confusion, type Identifier, type IdentifierPair } from './confusion.js'

/**
 * Pairs of identifiers that are different and look alike: `confusable('prefix-collision', 'case-folding')`, or of every
 * kind without arguments. Throws DeclarationError that names a kind which does not exist.
 *
 * | Kind | `ours` and `theirs` |
 * | --- | --- |
 * | `same-name` | one name in two scopes |
 * | `prefix-collision` | one scope begins with the other |
 * | `case-folding` | scopes that differ in upper and lower case |
 * | `embedded-separator` | equal once scope and name are joined by `/`, `:`, `.`, `-`, `_` or `\|` |
 * | `trailing-characters` | one scope has white space, a control or an invisible character at its end |
 * | `recycled-id` | one name in two scopes, to be deleted in `theirs` and then made anew in `ours` |
 * | `off-by-one` | numbers side by side, where a page or a power of ten or two ends |
 * | `integer-overflow` | numbers that are equal in 8, 16, 32 or 64 bits, or as a double |
 * | `unicode-normalisation` | scopes that are equal once normalised (NFC or NFKC) |
 */
export function confusable(...kinds: readonly Confusion[]): Arbitrary<IdentifierPair> {
  const wrong = kinds.find((kind) => !confusions.includes(kind))
  if (wrong !== undefined) {
    throw new DeclarationError('confusable', `confusable(): there is no kind ${JSON.stringify(wrong)}`, {
      hint: `the kinds are ${confusions.join(', ')}`,
    })
  }
  const chosen = kinds.length === 0 ? confusions : kinds
  return fc.oneof(...chosen.map((kind) => pairsOf[kind].map(([ours, theirs]) => ({ kind, ours, theirs }))))
}

/** Pairs of identifiers that have nothing in common. */
export function unlike(): Arbitrary<IdentifierPair> {
  return fc
    .uniqueArray(name, { minLength: 4, maxLength: 4 })
    .map(([one = '', other = '', first = '', second = '']) => ({
      kind: 'unlike',
      ours: { scope: one, id: first },
      theirs: { scope: other, id: second },
    }))
}

type Pair = readonly [ours: Identifier, theirs: Identifier]

/** Short names that are valid nearly everywhere, so that only the confusion is special about them. */
const name = fc.stringMatching(/^[a-z][a-z0-9]{2,7}$/)
const twoNames = fc.uniqueArray(name, { minLength: 2, maxLength: 2 })

/** The same name in two scopes. */
const inTwoScopes: Arbitrary<Pair> = fc.tuple(twoNames, name).map(([[one = '', other = ''], id]) => [
  { scope: one, id },
  { scope: other, id },
])

/** Two scopes that look alike, with the same name in both; either may be the one that is ours. */
function alike(scopes: Arbitrary<readonly [string, string]>): Arbitrary<Pair> {
  return fc.tuple(scopes, name, fc.boolean()).map(([[one, other], id, turned]) => {
    const pair = [
      { scope: one, id },
      { scope: other, id },
    ] as const
    return turned ? [pair[1], pair[0]] : pair
  })
}

/** Two numbers as names in two scopes. */
function numbered(numbers: Arbitrary<readonly [bigint, bigint]>): Arbitrary<Pair> {
  return fc.tuple(twoNames, numbers).map(([[one = '', other = ''], [ours, theirs]]) => [
    { scope: one, id: String(ours) },
    { scope: other, id: String(theirs) },
  ])
}

const endings = [' ', '\t', '\n', '\r', '\0', '\u00A0', '\u200B', '\uFEFF', '.'] as const

/** The last numbers of a range: of pages, of powers of ten, and of integers of a size. */
const lastOfRange = [9n, 10n, 99n, 100n, 127n, 255n, 999n, 1_023n, 9_999n, 65_535n, 2_147_483_647n] as const

/** What is added without a change to the lowest bits. */
const wraps = [1n << 8n, 1n << 16n, 1n << 32n, 1n << 64n] as const

/** Different spellings that are equal once normalised. */
const spellings = [
  ['\u00E9', 'e\u0301'],
  ['\u00F1', 'n\u0303'],
  ['\u00C5', '\u212B'],
  ['fi', '\uFB01'],
  ['a', '\uFF41'],
  ['1', '\u00B9'],
] as const

const pairsOf: Readonly<Record<Confusion, Arbitrary<Pair>>> = {
  'same-name': inTwoScopes,
  'recycled-id': inTwoScopes,
  'prefix-collision': alike(
    fc.tuple(name, fc.stringMatching(/^[a-z0-9]{1,3}$/)).map(([short, rest]) => [short, `${short}${rest}`]),
  ),
  'case-folding': alike(
    fc
      .tuple(name, fc.boolean())
      .map(([text, all]) => [
        text,
        all ? text.toUpperCase() : `${text.charAt(0).toUpperCase()}${text.slice(1)}`,
      ]),
  ),
  'embedded-separator': fc
    .tuple(name, name, name, fc.constantFrom('/', ':', '.', '-', '_', '|'), fc.boolean())
    .map(([first, middle, last, separator, turned]) => {
      const pair = [
        { scope: first, id: `${middle}${separator}${last}` },
        { scope: `${first}${separator}${middle}`, id: last },
      ] as const
      return turned ? [pair[1], pair[0]] : pair
    }),
  'trailing-characters': alike(
    fc.tuple(name, fc.constantFrom(...endings)).map(([text, ending]) => [text, `${text}${ending}`]),
  ),
  'off-by-one': numbered(
    fc
      .tuple(fc.constantFrom(...lastOfRange), fc.boolean())
      .map(([last, turned]) => (turned ? [last + 1n, last] : [last, last + 1n])),
  ),
  'integer-overflow': numbered(
    fc.oneof(
      fc
        .tuple(fc.bigInt({ min: 1n, max: 127n }), fc.constantFrom(...wraps))
        .map(([small, wrap]) => [small, small + wrap] as const),
      // Above 2^53 a double holds even numbers only: an odd one becomes its neighbour.
      fc
        .bigInt({ min: 0n, max: 1_000n })
        .map((step) => [(1n << 53n) + 4n * step, (1n << 53n) + 4n * step + 1n] as const),
    ),
  ),
  'unicode-normalisation': alike(
    fc
      .tuple(name, fc.constantFrom(...spellings))
      .map(([text, [one, other]]) => [`${text}${one}`, `${text}${other}`]),
  ),
}
