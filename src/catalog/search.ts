import { pitfallsNamed } from './pitfalls/index.js'
import { symptoms, type Symptom } from './symptoms.js'

/** Words that say nothing about a symptom. */
const idle = new Set(
  'the and are was were has have had with for from that this its not but than when while before after during into under over'.split(
    ' ',
  ),
)

/**
 * Rows of the index that words describe, the best first: those with the most of the words, in any form that begins alike.
 * Empty when no row has any.
 */
export function searchSymptoms(query: string): readonly Symptom[] {
  const wanted = stemsOf(query)
  const scored = symptoms.map((row) => {
    const there = new Set(stemsOf(textOf(row)))
    return { row, score: wanted.filter((stem) => there.has(stem)).length }
  })
  const most = Math.max(0, ...scored.map(({ score }) => score))
  return scored
    .filter(({ score }) => score > 0 && score >= most / 2)
    .toSorted((one, other) => other.score - one.score)
    .map(({ row }) => row)
}

function textOf({ symptom, also, pitfalls: ids }: Symptom): string {
  const titles = pitfallsNamed(ids).map(({ title }) => title)
  return [symptom, also, ...titles].join(' ')
}

/** `leases` and `lease`, `duplicated` and `duplicate` are one: what counts is how a word begins. */
function stemsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[a-z0-9]{3,}/g) ?? []
  const telling = words.filter((word) => !idle.has(word))
  return [...new Set(telling.map((word) => word.replace(/(?:ing|ed|es|s|e)$/, '')))]
}
