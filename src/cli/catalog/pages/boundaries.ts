import { confusionNotes, controlMistakes } from '../../../catalog/boundaries.js'
import { code, heading, paragraph, table, type Block } from '../../../findings/render/markdown.js'
import { capital, link, prose } from '../words.js'

/** What to try at the boundary between two tenants, and how such a test deceives itself. */
export function boundariesPage(): readonly Block[] {
  return [
    heading(1, 'Boundaries'),
    paragraph([
      'For claims that one tenant, namespace or role does not reach what is another’s. See ',
      link('../scenarios.md#arms', 'arms'),
      ' for how to declare controls.',
    ]),
    heading(2, 'Confusable identifiers'),
    paragraph(['Pairs that ', code('confusable()'), ' draws, by the seed of the run.']),
    table(
      ['Kind', 'What is alike', 'How a system confuses them'],
      Object.entries(confusionNotes).map(([kind, { alike, trap }]) => [
        code(kind),
        prose(capital(alike)),
        prose(capital(trap)),
      ]),
    ),
    heading(2, 'Mistakes with negative controls'),
    table(
      ['Mistake', 'Why it proves little', 'Instead'],
      controlMistakes.map(({ mistake, why, instead }) => [
        prose(capital(mistake)),
        prose(capital(why)),
        prose(capital(instead)),
      ]),
    ),
  ]
}
