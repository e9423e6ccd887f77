import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Experiment } from '../../session/classification-record.js'

/** Words by which systems refuse a request that makes no sense to them, whatever state they are in. */
const refusals =
  /\b(bad request|invalid (?:request|argument|parameter|input|syntax)|malformed|syntax error|unknown command|unsupported (?:command|method)|wrong number of arguments|wrongtype|unprocessable|cannot parse|missing (?:field|parameter)|protocol error)\b|\b(?:HTTP|status)\D{0,3}(?:400|405|422)\b/i

/** A status and no more: where operations of the type are served otherwise, nobody knows what was wrong with this one. */
const bareStatus =
  /^(?:\w*error\W+)?(?:(?:HTTP|status)\D{0,3})?(?:\b(?:400|405|422)\b)?\W*(?:bad request|method not allowed|unprocessable (?:content|entity))?\W*$/i

/** Words that speak of the state of the system, for which a request that makes sense is refused with the same status. */
const ofState =
  /\b(?:insufficient|balance|funds|already|conflict|expired|locked|held|version|mismatch|stale|full|limit|quota)\b/i

/** Errors after which nobody knows whether the operation happened. A transaction that the system aborts is none of them. */
const timeouts =
  /\btime(?:d|s)?[ -]?out|timedout|deadline|cancel|AbortError|operation was aborted|reset|closed|hang up/i

/** From this share of the operations of a run on, requests that make no sense are more than an accident. */
const leastShare = 0.01

/**
 * Whether clients sent what the system could only refuse. A generator that does is testing something else than the claim.
 */
export function invalidRequests(run: string, operations: readonly Operation[]): Experiment {
  const served = new Set(operations.filter((one) => outcomeOf(one) === 'ok').map(({ op_type: type }) => type))
  const refused = operations.filter(
    ({ op_type: type, error }) =>
      error !== null &&
      refusals.test(error) &&
      !ofState.test(error) &&
      !(bareStatus.test(error) && served.has(type)),
  )
  const share = operations.length === 0 ? 0 : refused.length / operations.length
  const [example] = refused
  const question = 'Did clients send requests that make sense to the system?'
  if (example === undefined || share < leastShare) {
    return {
      name: 'requests',
      question,
      outcome: `${refused.length} of ${operations.length} operations were refused as senseless`,
      points: null,
      clears: [],
      evidence: [run],
    }
  }
  return {
    name: 'requests',
    question,
    outcome:
      `${refused.length} of ${operations.length} operations were refused as senseless, such as ` +
      `${example.op_type} ${example.op_id}: ${example.error}`,
    points: 'harness',
    clears: [],
    evidence: [run, `operation ${example.op_id}`],
  }
}

/**
 * Whether something is told of a write that is recorded as certainly failed: a client that calls a timeout a failure
 * makes every later read of that value look like a violation. Null when no such value was read.
 */
export function failedWritesReadBack(run: string, operations: readonly Operation[]): Experiment | null {
  const failed = new Map<string, Operation>()
  const written = new Set<string>()
  for (const operation of operations) {
    if (operation.input === null) continue
    const value = JSON.stringify([operation.key, operation.input])
    if (outcomeOf(operation) !== 'failed') written.add(value)
    else if (timeouts.test(operation.error ?? '')) failed.set(value, operation)
  }
  for (const operation of operations) {
    if (outcomeOf(operation) !== 'ok' || operation.output === null) continue
    const value = JSON.stringify([operation.key, operation.output])
    const write = written.has(value) ? undefined : failed.get(value)
    if (write === undefined) continue
    return {
      name: 'failed operations',
      question: 'Did what is recorded as failed really not happen?',
      outcome:
        `no: ${operation.op_type} ${operation.op_id} returned what ${write.op_type} ${write.op_id} wrote, which is ` +
        `recorded as failed with "${write.error}"; was that a timeout?`,
      points: 'harness',
      clears: [],
      evidence: [run, `operations ${write.op_id}, ${operation.op_id}`],
    }
  }
  return null
}
