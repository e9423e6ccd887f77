import { techniqueIds } from '../../../catalog/technique.js'
import { closest } from '../../../nemesis/suggest.js'
import { isOwn, namedIn, type Vocabulary } from '../names.js'
import { isExplicitNone, isOpen, type Rule } from '../rule.js'

const vocabulary: Vocabulary = { kind: 'technique', names: techniqueIds }

export const techniqueUnknown: Rule = {
  code: 'technique-unknown',
  asks: "the techniques of section 6 are those of the catalog; one of the project's own is written `own: name`",
  check: ({ techniques }) =>
    techniques.flatMap(({ technique }) => {
      if (technique === null || isOpen(technique)) return []
      const { text, at } = technique
      if (isOwn(text) || isExplicitNone(text) || namedIn(text, vocabulary).known.length > 0) return []
      const meant = closest(text, techniqueIds)
      const fix =
        meant === null
          ? `use one of ${techniqueIds.join(', ')}, or \`own: ${text}\``
          : `write \`${meant}\`, or \`own: ${text}\``
      return [{ at, reason: `the catalog has no technique "${text}"`, fix }]
    }),
}
