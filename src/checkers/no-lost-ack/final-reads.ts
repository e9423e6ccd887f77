import { z } from 'zod'
import { messageOf } from '../../errors.js'
import { jsonSchema, type Json } from '../../json.js'
import type { CollectContext } from '../checker.js'

/** What one node answered for one key at quiescence; `error` when it did not answer. */
export const finalReadSchema = z.strictObject({
  key: z.union([z.string(), z.number()]).nullable(),
  node: z.string(),
  value: jsonSchema,
  error: z.string().nullable(),
})
export type FinalRead = z.infer<typeof finalReadSchema>

export const finalReadsSchema = z.array(finalReadSchema)

/** Reads one key through one client. `undefined` counts as null: the key is absent. */
export type Final<Client> = (context: {
  readonly client: Client
  readonly key: string | number | null
  readonly node: { readonly name: string }
  readonly signal: AbortSignal
}) => unknown

/**
 * Reads every key that the workload used from every node, the nodes side by side. A read that fails, or answers with
 * something that is no JSON value, is recorded with its error.
 */
export async function readFinals<Client>(
  context: CollectContext<Client>,
  final: Final<Client>,
): Promise<FinalRead[]> {
  const perNode = await Promise.all(
    context.clients.map(async (client, index) => {
      const node = context.nodes[index % context.nodes.length] ?? { name: `client ${index}` }
      const reads: FinalRead[] = []
      for (const key of context.keys) {
        const answer = await ask(() => final({ client, key, node, signal: context.signal }), context.signal)
        reads.push({ key, node: node.name, ...answer })
      }
      return reads
    }),
  )
  return perNode.flat()
}

async function ask(read: () => unknown, signal: AbortSignal): Promise<{ value: Json; error: string | null }> {
  try {
    signal.throwIfAborted()
    const parsed = jsonSchema.safeParse((await untilAborted(async () => read(), signal)) ?? null)
    if (parsed.success) return { value: parsed.data, error: null }
    return { value: null, error: 'final() answered with something that is no JSON value' }
  } catch (error) {
    return { value: null, error: signal.aborted ? 'the final reads were cancelled' : messageOf(error) }
  }
}

/** A client that ignores its signal must not hold up the end of the run. */
async function untilAborted<T>(action: () => Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = () => {}
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
  })
  try {
    return await Promise.race([action(), aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
