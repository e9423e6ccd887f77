import { claim, nemesis, scenario, workload, type OperationContext } from 'vitest-nemesis'
import { linearizable } from 'vitest-nemesis/checkers'
import { set } from 'vitest-nemesis/models'
import type { Document, Documents } from './client.js'
import { apiControls, exportControls } from './controls.js'
import { service } from './service.js'

const C1 = claim('C1', 'A tenant sees all of its own documents and none of another tenant', {
  categories: ['boundary', 'safety'],
  source: 'examples/tenants/README.md',
})

/** Tenants with names that a careless comparison takes for one another: the keys k0 to k3 of the workload. */
const tenants: Readonly<Record<string, string>> = { k0: 'acme', k1: 'acme2', k2: 'Acme', k3: 'zoo' }

type Context = OperationContext<Documents>
const tenantOf = ({ key }: Context) => tenants[key] ?? key

/** Every tenant adds documents, and reads all that it has through the surface of the arm. */
function addsAndReads(read: (context: Context) => Promise<readonly Document[]>) {
  return workload<Documents>({
    clients: 4,
    rate: '40/s',
    keys: { count: 4 },
    operations: {
      add: {
        run: (context) => {
          const document = { tenant: tenantOf(context), id: `d${String(context.value)}`, text: context.value }
          return context.client.put(document, context.signal)
        },
      },
      read: { run: async (context) => (await read(context)).map(({ text }) => text) },
    },
  })
}

scenario('a_tenant_sees_its_own_documents_only', {
  id: 'S1',
  falsifies: [C1],
  system: service,
  model: set(),
  checkers: [linearizable()],
  nemesis: [nemesis('kill', { node: 'n1', at: '1s', for: '0.5s' })],
  budget: { smoke: { duration: '3s', nodes: 1, faults: 1, seeds: 1 } },
  arms: {
    api: {
      surfaces: ['PUT /tenants/:tenant/documents/:id', 'GET /tenants/:tenant/documents'],
      keys: ['tenant', 'document id'],
      workload: addsAndReads((context) => context.client.list(tenantOf(context), context.signal)),
      controls: apiControls,
      asyncPaths: { none: 'every request is answered from memory' },
      backgroundPaths: { none: 'nothing runs by itself' },
      observabilityPaths: ['GET /audit'],
    },
    export: {
      surfaces: ['POST /tenants/:tenant/exports', 'GET /exports/:number'],
      keys: ['tenant', 'number of the export'],
      workload: addsAndReads((context) => context.client.export(tenantOf(context), context.signal)),
      controls: exportControls,
      asyncPaths: ['the job that collects the documents'],
      backgroundPaths: { none: 'nothing runs by itself' },
      observabilityPaths: ['GET /audit'],
    },
  },
})
