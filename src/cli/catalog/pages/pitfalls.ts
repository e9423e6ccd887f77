import type { Pitfall } from '../../../catalog/pitfall.js'
import { pitfalls } from '../../../catalog/pitfalls/index.js'
import { techniques } from '../../../catalog/techniques/index.js'
import {
  code,
  heading,
  joined,
  labelled,
  list,
  paragraph,
  type Block,
} from '../../../findings/render/markdown.js'
import { codes, link, prose } from '../words.js'

/** All pitfalls on one page. */
export function pitfallsPage(): readonly Block[] {
  return [
    heading(1, 'Recurring pitfalls'),
    paragraph(
      'Ways in which distributed systems go wrong again and again. For each row of a plan that may be affected, copy the hypothesis into section 4 and fill its places.',
    ),
    ...pitfalls.flatMap((pitfall) => [heading(2, pitfall.title), ...pitfallBlocks(pitfall)]),
  ]
}

/** What there is to say about a pitfall, without its title. */
export function pitfallBlocks(pitfall: Pitfall): readonly Block[] {
  const { id, symptom, mechanism, seen, hypothesis, categories, models, checkers, faults } = pitfall
  const ways = pitfall.techniques.map((technique) => link(`${technique}.md`, techniques[technique].title))
  return [
    list([
      labelled('Id', code(id)),
      labelled('Symptom', prose(symptom)),
      labelled('Mechanism', prose(mechanism)),
      labelled('Techniques', joined(ways, ', ')),
      labelled('Hypothesis', code(hypothesis)),
      labelled('Breaks claims of', joined(categories, ', ')),
      labelled('Models', codes(models)),
      labelled('Checkers', codes(checkers)),
      labelled('Faults', codes(faults)),
    ]),
    paragraph('Where it was seen:'),
    list(seen.map(({ what, url }) => link(url, what))),
  ]
}
