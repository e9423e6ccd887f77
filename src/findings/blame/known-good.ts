import type { Checker, CheckResult } from '../../checkers/checker.js'
import { DeclarationError, messageOf } from '../../errors.js'
import { validHistory } from '../../generators/valid-history.js'
import type { Operation } from '../../history/operation.js'
import { outcomeOf } from '../../history/operation.js'
import type { Model } from '../../models/model.js'
import type { Experiment } from '../../session/classification-record.js'
import { judgesTime } from '../../verdict/judges-time.js'
import { misfitOf } from './misfit-of.js'

const name = 'known-good history'
const mostOperations = 2_000
const tries = 3
const timeoutMs = 10_000

/** Patterns of oracles whose promise every history keeps that is linearizable by its model. */
const impliedPatterns = [1, 7, 8, 9, 10, 11]

/**
 * Shows the checker histories that are good by construction, of the same shape as the one that it rejected: as many
 * clients, keys and unanswered operations. One that it rejects as well is the checker's own fault, unless it asks for
 * something else than the model does, such as equal replicas. One that judged nothing of them, or does not fit the model,
 * is not cleared by finding nothing.
 *
 * Null when no such history can be made: without operations to take the shape from, of a model of the user's own, for a
 * checker that reads the live system, and for one that judges time, which nobody has spent on these.
 */
export async function knownGoodHistory(input: {
  readonly checker: Checker
  readonly model: Model | null
  readonly operations: readonly Operation[]
  readonly signal: AbortSignal
}): Promise<Experiment | null> {
  const { checker, model, operations, signal } = input
  if (model === null || operations.length === 0 || checker.collect !== undefined || judgesTime(checker))
    return null
  const misfit = misfitOf(checker, model)
  const question = `Does ${checker.name} accept histories that are good by construction?`
  const shape = shapeOf(operations)
  let judged = Infinity
  for (let seed = 1; seed <= tries; seed++) {
    const history = playedBy(model, { ...shape, seed })
    if (history === null) return null
    const evidence = [`seed ${seed} of the generated histories`]
    let result: CheckResult
    try {
      result = await checker.check({ operations: history, model, collected: null, timeoutMs, signal })
    } catch (error) {
      const outcome = `it failed on one of ${history.length} operations: ${messageOf(error)}`
      return { name, question, outcome, points: null, clears: [], evidence }
    }
    if (result.valid === 'unknown') return null
    if (!result.valid) {
      const outcome = `it rejects one of ${history.length} operations: ${result.anomalies[0]?.explanation ?? 'without an anomaly'}`
      const implied = checker.usesModel || misfit !== null || impliedPatterns.includes(checker.pattern)
      return implied ? { name, question, outcome, points: 'checker', clears: [], evidence } : null
    }
    judged = Math.min(judged, result.operations)
  }
  return {
    name,
    question,
    outcome:
      `it accepts ${tries} of ${tries}, of ${shape.operations} operations each` +
      (judged > 0 ? '' : ', and has judged none of them') +
      (misfit === null ? '' : `, but does not fit: ${misfit}`),
    points: null,
    clears: judged > 0 && misfit === null ? ['checker'] : [],
    evidence: [`seeds 1 to ${tries} of the generated histories`],
  }
}

function playedBy(model: Model, shape: Parameters<typeof validHistory>[1]): readonly Operation[] | null {
  try {
    return validHistory(model, shape)
  } catch (error) {
    // Nobody knows how to play a model of the user's own.
    if (error instanceof DeclarationError) return null
    throw error
  }
}

function shapeOf(operations: readonly Operation[]) {
  const all = operations.length
  const share = (outcome: string) =>
    all === 0 ? 0 : operations.filter((operation) => outcomeOf(operation) === outcome).length / all
  // Retired processes are clients that went on under another name.
  const retired = operations.filter((operation) => outcomeOf(operation) === 'unknown').length
  const processes = new Set(operations.map(({ process_id }) => process_id)).size
  return {
    operations: Math.min(all, mostOperations),
    processes: Math.max(1, processes - retired),
    keys: Math.max(1, new Set(operations.map(({ key }) => key)).size),
    unknown: Math.min(share('unknown'), 0.2),
    failed: Math.min(share('failed'), 0.2),
  }
}
