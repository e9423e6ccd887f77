import type { Classification } from '../../session/classification-record.js'
import { labelled, list, paragraph, strong, table, type Block } from './markdown.js'

/** Whose a violation is and what kind, with the experiments that say so. */
export function classificationBlocks(found: Classification | null): Block[] {
  if (found === null) {
    return [paragraph(labelled('Blame', 'unknown - pending re-run on another harness/host.'))]
  }
  return [
    list([
      labelled('Blame', `${partyInWords(found.blame)}: ${found.reason}`),
      labelled('Without the faults', needsFault(found.needsFault)),
      labelled('Type', told(found, 'type', found.type)),
      labelled('Tags', told(found, 'tags', found.tags.join(', ') || 'none')),
      labelled('Severity', told(found, 'severity', found.severity)),
      labelled('Suspected cause', found.suspectedCause ?? 'not stated'),
      labelled('Owner', found.owner ?? 'not stated'),
      labelled('Next action', found.nextAction),
    ]),
    ...experiments(found.experiments),
  ]
}

function partyInWords(party: Classification['blame']): string {
  return party === 'SUT' ? 'SUT (the system under test)' : party
}

function needsFault(needs: boolean | null): string {
  if (needs === null) return 'not tried'
  return needs ? 'no violation was observed' : 'the violation comes as well'
}

function told(
  { setByAuthor }: Classification,
  field: Classification['setByAuthor'][number],
  value: string,
): string {
  return `${value} (${setByAuthor.includes(field) ? 'set by the author' : 'proposed from the fault and the anomaly'})`
}

function experiments(all: Classification['experiments']): Block[] {
  if (all.length === 0) return []
  return [
    paragraph(strong('Experiments:')),
    table(
      ['Experiment', 'Question', 'Outcome', 'Points at', 'Clears', 'Evidence'],
      all.map(({ name, question, outcome, points, clears, evidence }) => [
        name,
        question,
        outcome,
        points ?? 'nobody',
        clears.join(', ') || 'nobody',
        evidence.join(', ') || '-',
      ]),
    ),
  ]
}
