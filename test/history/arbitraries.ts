import fc from 'fast-check'
import type { Operation } from '../../src/history/operation.js'
import type { Json } from '../../src/json.js'

// -0 and 0 are the same JSON; everything else that fast-check calls JSON reads back unchanged.
export const json = fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as Json)

const outcome = fc.oneof(
  fc.record({ error: fc.constant(null), output: json, took: fc.nat(1000) }),
  fc.record({ error: fc.string(), output: json, took: fc.nat(1000) }),
  fc.record({ error: fc.option(fc.string()), output: fc.constant(null), took: fc.constant(null) }),
)

const draft = fc.record({
  wait: fc.nat(1000),
  type: fc.string({ minLength: 1 }),
  key: fc.option(fc.oneof(fc.string(), fc.integer())),
  input: json,
  outcome,
  node: fc.option(fc.string()),
  epoch: fc.option(fc.string()),
})

/** Valid histories, in order of invocation, of processes that each do one operation after the other. */
export const history: fc.Arbitrary<Operation[]> = fc
  .array(fc.array(draft, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 })
  .map((processes) =>
    processes
      .flatMap((drafts, process) => {
        let now = 0
        return drafts.map((it, index): Operation => {
          const invoked = (now += it.wait)
          if (it.outcome.took !== null) now += it.outcome.took
          return {
            op_id: `${process}/${index}`,
            process_id: process,
            invoke_ts: invoked,
            complete_ts: it.outcome.took === null ? null : now,
            op_type: it.type,
            key: it.key,
            input: it.input,
            output: it.outcome.output,
            error: it.outcome.error,
            timeout_marker: it.outcome.took === null,
            node_seen: it.node,
            fault_epoch: it.epoch,
          }
        })
      })
      .sort((a, b) => a.invoke_ts - b.invoke_ts),
  )
