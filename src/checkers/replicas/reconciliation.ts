import { z } from 'zod'
import { messageOf } from '../../errors.js'
import { outcomeOf, type Operation } from '../../history/operation.js'
import { jsonSchema, type Json } from '../../json.js'
import { canonical } from '../../models/canonical.js'
import { checkedOptions } from '../checked-options.js'
import type { Anomaly, Checker, CollectContext } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { dumpDifferences, tellDifferences } from './dump-differences.js'

export interface ReconciliationOptions<Client> {
  /**
   * Reads all that one replica holds, at quiescence, through the client of its node. Without it, the last answered
   * operation of each node whose type is in `types` is its dump.
   */
  dump?: (replica: { readonly client: Client; readonly node: string }) => Promise<unknown>
  /** Operation types whose output is a dump of the replica. Default: dump, view. */
  types?: readonly string[]
  /** Places in a dump that may differ, as paths with `*` for any one name: `*.updatedAt`. */
  ignore?: readonly string[]
}

const schema = z.strictObject({
  dump: z.custom<unknown>((value) => typeof value === 'function', 'expected a function').optional(),
  types: z.array(z.string().min(1)).optional(),
  ignore: z.array(z.string().min(1)).optional(),
})

const dumpSchema = z.strictObject({ node: z.string(), dump: jsonSchema, error: z.string().nullable() })

/** What one replica holds, and where that was read. */
interface Dump {
  readonly replica: string
  readonly value: Json
  readonly operations: readonly Operation['op_id'][]
}

/**
 * At quiescence every replica holds the same: their dumps are compared, and a difference is told place by place.
 *
 * Replicas are the nodes; in a recorded history without `node_seen` they are the processes. A dump that could not be read
 * makes the answer unknown unless others differ. Fewer than two dumps reconcile nothing. Throws DeclarationError when
 * the options are wrong.
 */
export function reconciliation<Client = unknown>(
  options: ReconciliationOptions<Client> = {},
): Checker<Client> {
  const { dump } = options
  const { types = ['dump', 'view'], ignore = [] } = checkedOptions(options, {
    checker: 'reconciliation',
    factory: 'reconciliation',
    schema,
    example: 'reconciliation({ dump: ({ client }) => client.everything() })',
  })
  return defineChecker<Client>({
    name: 'reconciliation',
    pattern: 13,
    options,
    needs: ['node_seen', 'output'],
    scope: [
      'replicas that agree on something wrong',
      'differences before quiescence, and quiescence that the system only claims',
    ],
    ...(dump === undefined ? {} : { collect: (context) => collectDumps(context, dump) }),
    judge: ({ operations, collected }) => {
      if (dump === undefined) return compare(lastDumps(operations, new Set(types)), { failed: [], ignore })
      const parsed = z.array(dumpSchema).safeParse(collected)
      const dumps = parsed.success ? parsed.data : []
      const read = dumps.filter(({ error }) => error === null)
      return compare(
        read.map(({ node, dump: value }) => ({ replica: node, value, operations: [] })),
        { failed: dumps.flatMap(({ node, error }) => (error === null ? [] : [`${node}: ${error}`])), ignore },
      )
    },
  })
}

async function collectDumps<Client>(
  { nodes, clients }: CollectContext<Client>,
  dump: NonNullable<ReconciliationOptions<Client>['dump']>,
): Promise<Json> {
  return Promise.all(
    nodes.map(async ({ name }, index) => {
      try {
        const answer = jsonSchema.safeParse(
          (await dump({ client: clients[index] as Client, node: name })) ?? null,
        )
        if (answer.success) return { node: name, dump: answer.data, error: null }
        return { node: name, dump: null, error: 'dump() answered with something that is no JSON value' }
      } catch (error) {
        return { node: name, dump: null, error: messageOf(error) }
      }
    }),
  )
}

function lastDumps(operations: readonly Operation[], types: ReadonlySet<string>): Dump[] {
  const last = new Map<string, Operation>()
  for (const operation of operations) {
    if (!types.has(operation.op_type) || outcomeOf(operation) !== 'ok') continue
    const replica = operation.node_seen ?? `process ${operation.process_id}`
    const before = last.get(replica)
    if (before === undefined || (before.complete_ts as number) < (operation.complete_ts as number)) {
      last.set(replica, operation)
    }
  }
  return [...last].map(([replica, { output, op_id }]) => ({ replica, value: output, operations: [op_id] }))
}

function compare(
  dumps: readonly Dump[],
  { failed, ignore }: { failed: readonly string[]; ignore: readonly string[] },
): Judgement {
  const [first, ...others] = dumps
  const anomalies = others.flatMap((other) => (first === undefined ? [] : differing(first, other, ignore)))
  return {
    consumed: dumps.length,
    anomalies,
    undecided: undecided(dumps, failed),
    evidence: {
      replicas: dumps.length,
      unread: failed.length,
      distinct: new Set(dumps.map(({ value }) => canonical(value))).size,
    },
  }
}

function differing(first: Dump, other: Dump, ignore: readonly string[]): Anomaly[] {
  const differences = dumpDifferences(first.value, other.value, { ignore })
  if (differences.length === 0) return []
  const where = tellDifferences(differences, { left: `on ${first.replica}`, right: `on ${other.replica}` })
  return [
    {
      type: 'replicas-differ',
      explanation: `At quiescence ${first.replica} and ${other.replica} differ: ${where}.`,
      operations: [...first.operations, ...other.operations],
    },
  ]
}

function undecided(dumps: readonly Dump[], failed: readonly string[]): string | null {
  if (failed.length > 0) return `${failed.length} replicas could not be read, the first ${failed[0]}`
  if (dumps.length >= 2) return null
  return `${dumps.length} replicas were read; it takes two to compare: give \`dump\`, or record dump operations of every replica`
}
