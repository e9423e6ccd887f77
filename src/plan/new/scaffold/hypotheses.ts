import type { Findings } from '../findings.js'
import { closingScenarios, ids, type Outline, type OutlinedHypothesis } from './outline.js'
import { open, quoted, shortened, table } from './text.js'

const mostCandidates = 3

/** Section 4: hypotheses to make concrete, and the pitfalls walked one by one. */
export function hypothesesSection({ hypotheses }: Outline, { pitfalls }: Findings): string {
  return [
    table(
      ['ID', 'Hypothesis', 'Claims', 'Category'],
      hypotheses.map((one) => [one.id, wordsOf(one), ids(one.claims), one.mode]),
    ),
    'A failure mode that cannot occur is written below the table instead: "Upgrade and rollback: N/A because …".',
    '### Pitfalls walked',
    table(
      ['Pitfall', 'Applies (y, n, maybe)', 'Why'],
      pitfalls.map(({ pitfall, seen }) =>
        seen === null
          ? [pitfall.title, open('y, n or maybe'), 'no sign of it was found, which proves nothing']
          : [pitfall.title, 'maybe', `${quoted(seen.words)} in ${seen.file}:${seen.line}`],
      ),
    ),
  ].join('\n\n')
}

function wordsOf({ walked, mode, claims }: OutlinedHypothesis): string {
  if (walked === null) return open(`how ${ids(claims)} could fail: ${mode}`)
  const template = walked.pitfall.hypothesis.replaceAll(/<([^>]+)>/g, '[$1]')
  return open(`make it concrete or take it out: ${template}`)
}

/** Section 5: a row for each hypothesis, with tests that may cover it. */
export function coverageSection(outline: Outline, { tests }: Findings): string {
  const rows = outline.hypotheses.map((hypothesis) => {
    const sign = hypothesis.walked?.sign ?? null
    const spaced = (text: string) => text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').replaceAll(/[_/]/g, ' ')
    const candidates =
      sign === null
        ? []
        : tests.filter(({ file, name }) => sign.test(spaced(name)) || sign.test(spaced(file)))
    const files = [...new Set(candidates.map(({ file }) => file))]
    return [
      ids(hypothesis.claims),
      hypothesis.id,
      files.length === 0 ? 'none found' : `by their names: ${shortened(files, mostCandidates)}`,
      open('covered, partial or not covered'),
      open('what is missing'),
      closingScenarios(outline, hypothesis),
    ]
  })
  return table(['Claim', 'Hypothesis', 'Existing tests', 'Verdict', 'Gap', 'Scenario'], rows)
}
