import type { Operation } from '../../src/history/operation.js'

type Given = Partial<Operation> &
  Pick<Operation, 'op_type'> & { readonly at: readonly [number, number | null] }

let lastId = 0

/** An operation in few words: `at` is [invoked, completed], completed null when its outcome is unknown. */
export function operation({ at: [invoked, completed], ...given }: Given): Operation {
  lastId += 1
  return {
    op_id: lastId,
    process_id: lastId,
    invoke_ts: invoked,
    complete_ts: completed,
    key: null,
    input: null,
    output: null,
    error: completed === null ? 'timeout' : null,
    timeout_marker: completed === null,
    node_seen: null,
    fault_epoch: null,
    ...given,
  }
}
