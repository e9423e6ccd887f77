import type { Checker } from '../../checkers/checker.js'
import { DeclarationError } from '../../errors.js'
import { validHistory } from '../../generators/valid-history.js'
import type { Operation } from '../../history/operation.js'
import { outcomeOf } from '../../history/operation.js'
import type { Model } from '../../models/model.js'
import type { Experiment } from '../../session/classification-record.js'

const mostOperations = 2_000
const tries = 3
const timeoutMs = 10_000

/**
 * Shows the checker histories that are good by construction, of the same shape as the one that it rejected: as many
 * clients, keys and unanswered operations. One that it rejects as well is the checker's own fault.
 *
 * Null when no such history can be made: of a model of the user's own, or for a checker that reads the live system.
 */
export async function knownGoodHistory(input: {
  readonly checker: Checker
  readonly model: Model | null
  readonly operations: readonly Operation[]
  readonly signal: AbortSignal
}): Promise<Experiment | null> {
  const { checker, model, operations, signal } = input
  if (model === null || checker.collect !== undefined) return null
  const question = `Does ${checker.name} accept histories that are good by construction?`
  const shape = shapeOf(operations)
  for (let seed = 1; seed <= tries; seed++) {
    const history = playedBy(model, { ...shape, seed })
    if (history === null) return null
    const result = await checker.check({ operations: history, model, collected: null, timeoutMs, signal })
    if (result.valid === 'unknown') return null
    if (!result.valid) {
      return {
        name: 'known-good history',
        question,
        outcome: `it rejects one of ${history.length} operations: ${result.anomalies[0]?.explanation ?? 'without an anomaly'}`,
        points: 'checker',
        clears: [],
        evidence: [`seed ${seed} of the generated histories`],
      }
    }
  }
  return {
    name: 'known-good history',
    question,
    outcome: `it accepts ${tries} of ${tries}, of ${shape.operations} operations each`,
    points: null,
    clears: ['checker'],
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
