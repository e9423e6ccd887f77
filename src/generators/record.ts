import type { Operation, Outcome } from '../history/operation.js'
import type { Json } from '../json.js'
import type { Request } from './player.js'

/** Operations name one of so many nodes, always the same one for a client. */
const nodes = 3

/** An operation that was invoked and has no answer yet. */
export function invoked({
  id,
  process,
  at,
  request,
}: {
  readonly id: number
  readonly process: number
  readonly at: number
  readonly request: Request
}): Operation {
  return {
    op_id: id,
    process_id: process,
    invoke_ts: at,
    complete_ts: null,
    op_type: request.type,
    key: request.key,
    input: request.input,
    output: null,
    error: 'timeout',
    timeout_marker: true,
    node_seen: null,
    fault_epoch: null,
  }
}

/** Writes into the operation that it was answered. */
export function complete(
  operation: Operation,
  {
    at,
    client,
    outcome,
    answer,
  }: {
    readonly at: number
    readonly client: number
    readonly outcome: Exclude<Outcome, 'unknown'>
    readonly answer: Json
  },
): void {
  operation.complete_ts = at
  operation.output = answer
  operation.error = outcome === 'failed' ? 'refused' : null
  operation.timeout_marker = false
  if (outcome === 'ok') operation.node_seen = `n${(client % nodes) + 1}`
}
