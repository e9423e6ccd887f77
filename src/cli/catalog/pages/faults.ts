import { faultNotes } from '../../../catalog/fault-notes.js'
import { code, heading, paragraph, table, type Block } from '../../../findings/render/markdown.js'
import { capital, codes, link, prose } from '../words.js'

/** The taxonomy of faults, each with what must be seen before it counts. */
export function faultsPage(): readonly Block[] {
  return [
    heading(1, 'Faults'),
    paragraph([
      'A fault counts when the injector and a victim both show it, and an operation was in flight meanwhile. Options, limits and mechanisms are on the page of ',
      link('../faults.md', 'faults'),
      '.',
    ]),
    table(
      ['Fault', 'Kind', 'Needs', 'What the injector shows', 'What a victim shows', 'Ends'],
      faultNotes.map(({ name, category, needs, oneShot, injector, victim }) => [
        code(name),
        category,
        needs.length === 0 ? 'hooks of yours' : codes(needs),
        prose(capital(injector)),
        prose(capital(victim)),
        oneShot ? 'by itself' : 'when it is healed',
      ]),
    ),
  ]
}
