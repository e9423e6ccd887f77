import { z } from 'zod'
import { linearizable, sequential } from '../../../src/checkers/index.js'
import { changedRun } from '../../../src/findings/blame/changed-run.js'
import { checkerFailed, checkerFailure } from '../../../src/findings/blame/checker-failure.js'
import { blameOf } from '../../../src/findings/blame/decide.js'
import { documentedRelaxations } from '../../../src/findings/blame/relaxations.js'
import type { Experiment } from '../../../src/session/classification-record.js'
import { register } from '../../../src/models/index.js'
import { operation } from '../../checkers/operation.js'
import { runRecord } from '../../session/records.js'
import { givenSchema } from './given.js'

const factsSchema = z.strictObject({
  /** How the system was asked, and what its documentation says of that. */
  mode: z.string().optional(),
  documentation: z.string().optional(),
  /** The same with the stronger way to ask. */
  withQuorumTrue: z.literal('clean').optional(),
  /** How much later than the effect a call was stamped. */
  gapNs: z.array(z.number()).optional(),
  /** The same with a recorder that was mended. */
  withFences: z.literal('clean').optional(),
  otherMachine: z.string().optional(),
  sut: z.string().optional(),
})

export const violationGivenSchema = z.union([
  z.strictObject({ violation: z.string(), facts: factsSchema }),
  givenSchema,
])
type Given = z.infer<typeof violationGivenSchema>

/** Whom the experiments that a record tells of point at. */
export async function blameIn(given: Given): Promise<string> {
  const experiments = 'facts' in given ? await fromFacts(given.facts) : fromOracle(given)
  return blameOf(experiments).blame
}

async function fromFacts(facts: z.infer<typeof factsSchema>): Promise<Experiment[]> {
  const experiments: Experiment[] = []
  if (facts.documentation !== undefined) experiments.push(...(await relaxed(facts)))
  if (facts.withFences !== undefined) {
    // A mended recorder is another client of the same object.
    const found = changedRun('another client', runRecord(), { by: 'linearizable', reproducible: true })
    if (found !== null) experiments.push(found)
  }
  return experiments
}

/** A stale read, judged by what the documentation allows of the mode that was used. */
async function relaxed({ mode = '', documentation = '' }: z.infer<typeof factsSchema>) {
  const operations = [
    operation({ op_type: 'write', input: 1, at: [0, 10] }),
    operation({ op_type: 'write', input: 2, at: [20, 30] }),
    operation({ op_type: 'read', output: 1, at: [40, 50] }),
  ]
  const allowed = /may be stale/.test(documentation) ? sequential() : linearizable()
  return documentedRelaxations([{ name: mode, source: documentation, checker: allowed }], {
    operations,
    model: register(),
    run: 'as reported',
    signal: new AbortController().signal,
  })
}

function fromOracle({ oracle }: z.infer<typeof givenSchema>): Experiment[] {
  const [check] = runRecord().checks
  if (oracle === null || check === undefined) return []
  // By whatever words, an exception is the checker's own failure.
  const threw = /exception|crash|threw/i.test(oracle.reason ?? '')
  const reason = threw ? `${checkerFailed}: ${oracle.reason}` : (oracle.reason ?? null)
  const found = checkerFailure([
    runRecord({ checks: [{ ...check, checker: oracle.checker, valid: oracle.valid, reason }] }),
  ])
  return found === null ? [] : [found]
}
