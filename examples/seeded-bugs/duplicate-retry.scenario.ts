import { claim, nemesis, scenario, workload } from 'vitest-nemesis'
import { linearizable, noDuplicates } from 'vitest-nemesis/checkers'
import { log } from 'vitest-nemesis/models'
import type { Documents } from '../tenants/client.js'
import { documentService } from '../tenants/service.js'

const C1 = claim('C1', 'A document that is sent again is stored once', {
  categories: ['idempotency', 'safety'],
  source: 'examples/tenants/server.mjs',
})

/** How long the client waits for an answer before it sends the document again. */
const patienceMs = 700

/** The bug: with PUT=append the service stores a document as often as it arrives. */
scenario('a_document_that_is_sent_again_is_stored_once', {
  id: 'S2',
  falsifies: [C1],
  system: documentService({ EXPORT: 'exact', PUT: process.env['PUT'] ?? 'append' }),
  model: log(),
  workload: workload<Documents>({
    clients: 4,
    rate: '30/s',
    keys: { count: 4 },
    operations: {
      append: {
        run: ({ client, key, value, signal }) =>
          client.putAgain({ tenant: key, id: `d${String(value)}`, text: value }, patienceMs, signal),
      },
      read: {
        run: async ({ client, key, signal }) => (await client.list(key, signal)).map(({ text }) => text),
      },
    },
    timeout: '4s',
  }),
  nemesis: [nemesis('latency', { from: 'n1', to: 'clients', delay: '1200ms', at: '0.8s', for: '1.2s' })],
  checkers: [noDuplicates(), linearizable()],
  budget: { smoke: { duration: '3s', nodes: 1, faults: 1, seeds: 1 } },
})
