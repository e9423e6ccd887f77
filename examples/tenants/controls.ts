import { control, type ControlContext } from 'vitest-nemesis'
import { StatusError, type Documents } from './client.js'

type Context = ControlContext<Documents>

/** The service has one node, and so one client. */
function client({ clients: [only] }: Context): Documents {
  if (only === undefined) throw new Error('there is no client')
  return only
}

/** A document of either tenant. */
async function both(context: Context): Promise<void> {
  for (const { scope, id } of [context.pair.ours, context.pair.theirs]) {
    await client(context).put({ tenant: scope, id, text: `of ${scope}` }, context.signal)
  }
}

const lookAlikes = [
  'same-name',
  'prefix-collision',
  'case-folding',
  'embedded-separator',
  'trailing-characters',
  'unicode-normalisation',
] as const

export const apiControls = [
  control.positive<Documents>('a tenant reads its own document', {
    prepare: both,
    run: (context) => {
      const { scope, id } = context.pair.ours
      return client(context).get({ caller: scope, tenant: scope, id }, context.signal)
    },
    holds: (answer, { pair }) => (answer as { text: unknown }).text === `of ${pair.ours.scope}`,
  }),
  control.negative<Documents>('a tenant reads the document of another one', {
    confusable: lookAlikes,
    prepare: both,
    attempt: (context) => {
      const { ours, theirs } = context.pair
      return client(context).get({ caller: ours.scope, tenant: theirs.scope, id: theirs.id }, context.signal)
    },
    refused: ({ error }) => error instanceof StatusError && error.status === 403,
    observed: async (context) => {
      const { ours, theirs } = context.pair
      const entry = (await client(context).audit(context.signal)).find(
        (one) =>
          'refused' in one &&
          one.refused.caller === ours.scope &&
          one.refused.tenant === theirs.scope &&
          one.refused.id === theirs.id,
      )
      return entry === undefined ? null : `in the audit log: ${JSON.stringify(entry)}`
    },
  }),
]

export const exportControls = [
  control.positive<Documents>('a tenant exports its own document', {
    prepare: both,
    run: (context) => client(context).export(context.pair.ours.scope, context.signal),
    holds: (answer, { pair }) => (answer as { id: string }[]).some(({ id }) => id === pair.ours.id),
  }),
  control.negative<Documents>('an export has the document of another tenant', {
    confusable: lookAlikes,
    prepare: both,
    attempt: (context) => client(context).export(context.pair.ours.scope, context.signal),
    // That nothing failed proves nothing: the export itself must be without it.
    refused: ({ answer }, { pair }) =>
      Array.isArray(answer) && answer.every(({ tenant }) => tenant === pair.ours.scope),
    observed: async (context, { answer }) => {
      const entry = (await client(context).audit(context.signal)).findLast(
        (one) => 'exported' in one && one.exported.tenant === context.pair.ours.scope,
      )
      if (entry === undefined || !('exported' in entry)) return null
      const { documents } = entry.exported
      return documents === (answer as unknown[]).length ? `in the audit log: ${JSON.stringify(entry)}` : null
    },
  }),
]
