import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import {
  logOffsets,
  noDuplicates,
  noLostAck,
  noUnexpected,
  prefixOrder,
  totalQueue,
} from '../../../src/checkers/index.js'
import type { Checker } from '../../../src/checkers/checker.js'
import { readHistory } from '../../../src/history/read.js'
import { log, queue, set } from '../../../src/models/index.js'
import type { Model } from '../../../src/models/model.js'

const fixtures = new URL('../../fixtures/queues-and-logs/', import.meta.url)

it.each<[string, Model | null, Checker, boolean | 'unknown', readonly (readonly unknown[])[]]>([
  ['acked-publishes-lost-at-power-failure', queue(), noLostAck(), false, [[3, 6]]],
  ['acked-publishes-lost-at-power-failure', queue(), noDuplicates(), true, []],
  ['acked-publishes-lost-at-power-failure', queue(), totalQueue({ drained: true }), false, [[3]]],
  ['acked-publishes-lost-at-power-failure', null, totalQueue(), 'unknown', []],
  ['fifo-overtaken-in-real-time', queue(), noLostAck(), true, []],
  ['fifo-overtaken-in-real-time', queue(), prefixOrder(), false, [[1, 2]]],
  ['offset-skipped-over-an-acked-record', log(), noLostAck(), false, [[6]]],
  ['offset-skipped-over-an-acked-record', log(), logOffsets({ gaps: 'allowed' }), false, [[6]]],
  ['offset-skipped-over-an-acked-record', log(), prefixOrder(), true, []],
  ['aborted-transaction-visible-to-a-committed-read', log(), noLostAck(), true, []],
  ['aborted-transaction-visible-to-a-committed-read', log(), noUnexpected(), false, [[5]]],
  ['watch-travels-back', log(), prefixOrder(), false, [[]]],
  ['inserted-documents-lost', set(), noLostAck(), false, [[2], [4]]],
  ['writes-to-a-demoted-primary', set(), noLostAck(), false, [[3], [5]]],
  ['query-by-two-fields-misses-rows', null, noLostAck(), true, []],
])('%s (%#)', async (name, model, checker, valid, written) => {
  const { operations } = await readHistory(fileURLToPath(new URL(`${name}.ndjson`, fixtures)))
  const result = await checker.check({ operations, model, collected: null, timeoutMs: 1_000 })
  expect(result).toMatchObject({ valid })
  const values = result.anomalies.map((anomaly) =>
    operations
      .filter(
        ({ op_id: id, op_type: type }) => anomaly.operations.includes(id) && /enqueue|append|add/.test(type),
      )
      .map(({ input }) => input),
  )
  expect(values).toEqual(written)
})
