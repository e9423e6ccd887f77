import { techniqueIds } from '../../../catalog/technique.js'
import { closest } from '../../../nemesis/suggest.js'
import { isOwn, namedIn, techniqueVocabulary } from '../names.js'
import { isExplicitNone, isOpen, isOpenText, type Rule } from '../rule.js'

export const techniqueUnknown: Rule = {
  code: 'technique-unknown',
  asks: "the techniques of section 6 are those of the catalog; one of the project's own is written `own: name`",
  check: ({ techniques }) =>
    techniques.flatMap(({ technique }) => {
      if (technique === null || isOpen(technique)) return []
      const { text, at } = technique
      if (isOwn(text) || isExplicitNone(text) || namedIn(text, techniqueVocabulary).known.length > 0)
        return []
      const meant = closest(text, techniqueIds)
      const fix =
        meant === null
          ? `use one of ${techniqueIds.join(', ')}, or \`own: ${text}\``
          : `write \`${meant}\`, or \`own: ${text}\``
      return [{ at, reason: `the catalog has no technique "${text}"`, fix }]
    }),
}

export const techniqueIncomplete: Rule = {
  code: 'technique-incomplete',
  asks: 'a technique of section 6 says which hypotheses it is for, what it catches that others miss, a reference, and its cost',
  check: ({ techniques, sections }) => {
    const section = sections.get('6')
    if (techniques.length === 0 && section !== undefined && section.lines > 0 && !isOpenText(section.text)) {
      const fix = 'add a table `| Technique | Hypotheses | What it catches | Reference | Cost |`'
      return [{ at: section.at, reason: 'section 6 has no table of techniques', fix }]
    }
    return techniques.flatMap(({ at, technique, hypotheses, catches, reference, cost }) => {
      const lacks = [
        ...(technique === null ? ['a technique'] : []),
        ...(hypotheses.length === 0 ? ['hypotheses'] : []),
        ...(catches === null ? ['what it catches'] : []),
        ...(reference === null ? ['a reference'] : []),
        ...(cost === null ? ['its cost'] : []),
      ]
      if (lacks.length === 0 || isOpen(technique)) return []
      const name = technique?.text ?? 'a row of section 6'
      return [{ at, reason: `${name} lacks ${lacks.join(', ')}`, fix: 'fill the row of the table in' }]
    })
  },
}
