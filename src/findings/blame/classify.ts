import type { ScenarioRecord } from '../../session/record.js'
import type {
  BugTag,
  BugType,
  Classification,
  Experiment,
  Severity,
} from '../../session/classification-record.js'
import { needsFaultBy } from './changed-run.js'
import { blameOf } from './decide.js'
import { propose } from './propose.js'

/** What the author of a scenario states about what it finds. */
export interface Stated {
  readonly type?: BugType
  readonly tags?: readonly BugTag[]
  readonly severity?: Severity
  readonly suspectedCause?: string
  readonly owner?: string
  readonly nextAction?: string
}

/** What a violation is and whose: by the experiments, by what the author states, and else as proposed. */
export function classify(
  record: Pick<ScenarioRecord, 'claims' | 'model' | 'runs' | 'across' | 'checkers'>,
  experiments: readonly Experiment[],
  stated: Stated = {},
): Classification {
  const { blame, reason } = blameOf(experiments)
  const needsFault = needsFaultBy(experiments)
  const proposed = propose(record, { needsFault })
  return {
    blame,
    reason,
    experiments: [...experiments],
    needsFault,
    type: stated.type ?? proposed.type,
    tags: [...(stated.tags ?? proposed.tags)],
    severity: stated.severity ?? proposed.severity,
    setByAuthor: (['type', 'tags', 'severity'] as const).filter((field) => stated[field] !== undefined),
    suspectedCause: stated.suspectedCause ?? null,
    owner: stated.owner ?? null,
    nextAction: stated.nextAction ?? nextActions[blame],
  }
}

const nextActions: Readonly<Record<Classification['blame'], string>> = {
  SUT: 'give the reproducer, reduced by nemesis reduce, to the owner of the system',
  harness: 'mend the harness, then run the scenario again: nothing is known about the system yet',
  checker: 'check by the promise that is made, or mend the checker, then run the scenario again',
  environment: 'run it again on a machine where nothing else happens',
  unknown: 'do what is pending',
}
