import { catalog, type CatalogEntry } from '../../checkers/catalog.js'
import { techniqueIds } from '../../catalog/technique.js'
import { modelNames } from '../../models/named.js'
import { faults } from '../../nemesis/faults/index.js'
import { closest } from '../../nemesis/suggest.js'

/** The names of one kind that a plan may use. */
export interface Vocabulary {
  readonly kind: string
  readonly names: readonly string[]
}

/** What a plan calls a checker: an invariant has a name of its own in every scenario. */
export function checkerName({ factory, example }: CatalogEntry): string {
  return factory === 'invariant' ? factory : example().name
}

export const checkerVocabulary: Vocabulary = {
  kind: 'checker',
  names: catalog.map(checkerName),
}
export const modelVocabulary: Vocabulary = { kind: 'model', names: modelNames }
export const techniqueVocabulary: Vocabulary = { kind: 'technique', names: techniqueIds }
export const faultVocabulary: Vocabulary = { kind: 'fault', names: Object.keys(faults) }

/** Names that are known, and words that are probably misspelt ones. */
export interface Named {
  readonly known: readonly string[]
  readonly misspelt: readonly { readonly word: string; readonly meant: string }[]
}

/**
 * The names of a vocabulary in a text, in whatever way they are written: `no-lost-ack`, `noLostAck()`, `No lost ack`. A word
 * counts as misspelt when it is long and nearly a name.
 */
export function namedIn(text: string, { names }: Vocabulary): Named {
  const known = knownIn(text, names)
  const misspelt = [...new Set(text.match(/[A-Za-z][A-Za-z-]{5,}/g) ?? [])].flatMap((word) => {
    if (
      names.some(
        (name) => spaced(name).split(' ').includes(spaced(word)) || spaced(word).startsWith(spaced(name)),
      )
    )
      return []
    const meant = closest(word, names)
    return meant === null || !isNear(word, meant) ? [] : [{ word, meant }]
  })
  return { known, misspelt }
}

/** In the order of the text. A name within a longer one, such as `partition`, counts only where it stands alone. */
function knownIn(text: string, names: readonly string[]): string[] {
  const longestFirst = names.toSorted((one, other) => other.length - one.length)
  const found: { readonly name: string; readonly at: number }[] = []
  let plain = ` ${spaced(text).replaceAll(' ', '  ')} `
  for (const name of longestFirst) {
    const wanted = ` ${spaced(name).replaceAll(' ', '  ')} `
    const at = plain.indexOf(wanted)
    if (at === -1) continue
    found.push({ name, at })
    plain = plain.replaceAll(wanted, ' '.repeat(wanted.length))
  }
  return found.toSorted((one, other) => one.at - other.at).map(({ name }) => name)
}

/** One letter in six may differ: `linearisable` is meant for a name, `linearity` is a word, as is `pausing`. */
function isNear(word: string, name: string): boolean {
  if (Math.abs(word.length - name.length) > 2 || isInflected(word.toLowerCase(), name)) return false
  const shared = Array.from(word.toLowerCase()).filter((letter, index) => name[index] === letter).length
  return shared >= name.length - Math.ceil(name.length / 6)
}

/** True for a name with another ending: `latencies`, `compacting`. */
function isInflected(word: string, name: string): boolean {
  const ending = /(?:e?s|ies|e?d|ing)$/.exec(word)?.[0]
  return ending !== undefined && name.startsWith(word.slice(0, -ending.length))
}

/** A plan may use what its project defines itself: `own: orders-invariant`. */
export function isOwn(text: string): boolean {
  return /\bown\b/i.test(text)
}

function spaced(text: string): string {
  return text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()
}
