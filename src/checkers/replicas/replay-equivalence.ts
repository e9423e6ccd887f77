import { z } from 'zod'
import { messageOf } from '../../errors.js'
import { outcomeOf, type Operation } from '../../history/operation.js'
import { jsonSchema, type Json } from '../../json.js'
import { checkedOptions } from '../checked-options.js'
import type { Checker, CollectContext } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { dumpDifferences, tellDifferences } from './dump-differences.js'

export interface ReplayEquivalenceOptions<Client> {
  /** Reads the state of the live system at quiescence. */
  live: (context: CollectContext<Client>) => Promise<unknown>
  /** The state after a replay: of the system's own log or snapshot, or of `context.operations` on a fresh instance. */
  replayed: (context: CollectContext<Client>) => Promise<unknown>
  /**
   * What is replayed: `log`, the system's own record, which knows what happened; or `history`, the recorded operations,
   * of which the unknown ones may or may not have happened, so that a difference then proves nothing. Default `history`.
   */
  from?: 'log' | 'history'
  /** Places in the state that may differ, as paths with `*` for any one name: `*.updatedAt`. */
  ignore?: readonly string[]
}

const fn = z.custom<unknown>((value) => typeof value === 'function', 'expected a function')
const schema = z.strictObject({
  live: fn,
  replayed: fn,
  from: z.enum(['log', 'history']).optional(),
  ignore: z.array(z.string().min(1)).optional(),
})

const statesSchema = z.strictObject({ live: jsonSchema, replayed: jsonSchema })
const failureSchema = z.strictObject({ failure: z.string() })

/**
 * The state of the live system equals what a replay comes to, but for the fields that are declared not to matter.
 * Throws DeclarationError when the options are wrong.
 */
export function replayEquivalence<Client = unknown>(
  options: ReplayEquivalenceOptions<Client>,
): Checker<Client> {
  const { live, replayed } = options
  const { from = 'history', ignore = [] } = checkedOptions(options, {
    checker: 'replay-equivalence',
    factory: 'replayEquivalence',
    schema,
    example:
      'replayEquivalence({ live: ({ clients: [client] }) => client.dump(), replayed: () => replayLog(), from: "log" })',
  })
  return defineChecker<Client>({
    name: 'replay-equivalence',
    pattern: 3,
    options,
    needs: ['invoke_ts', 'complete_ts', 'timeout_marker'],
    scope: ['what both the live system and the replay get wrong', 'anything in the ignored fields'],
    collect: async (context) => ({
      live: await state('live', live, context),
      replayed: await state('replayed', replayed, context),
    }),
    judge: ({ operations, collected }) => judge(collected, { operations, from, ignore }),
  })
}

/** The state, or what kept it from being read, so that it is on record. */
async function state<Client>(
  name: string,
  read: (context: CollectContext<Client>) => Promise<unknown>,
  context: CollectContext<Client>,
): Promise<Json> {
  try {
    const answer = jsonSchema.safeParse((await read(context)) ?? null)
    if (answer.success) return { state: answer.data }
    return { failure: `${name}() answered with something that is no JSON value` }
  } catch (error) {
    return { failure: `${name}() failed: ${messageOf(error)}` }
  }
}

function judge(
  collected: Json,
  {
    operations,
    from,
    ignore,
  }: { operations: readonly Operation[]; from: 'log' | 'history'; ignore: readonly string[] },
): Judgement {
  const unknown = operations.filter((operation) => outcomeOf(operation) === 'unknown').length
  const evidence = { operations: operations.length, unknown }
  const parsed = statesSchema.safeParse(collected)
  if (!parsed.success) {
    return {
      consumed: 0,
      anomalies: [],
      undecided: 'the states were not read: that happens at quiescence',
      evidence,
    }
  }
  const states = [parsed.data.live, parsed.data.replayed]
  const failures = states.flatMap((one) => failureSchema.safeParse(one).data?.failure ?? [])
  if (failures.length > 0) return { consumed: 0, anomalies: [], undecided: failures.join('; '), evidence }
  const [live, replayed] = states.map((one) => (one as { state: Json }).state) as [Json, Json]
  const differences = dumpDifferences(live, replayed, { ignore })
  const consumed = Math.max(1, operations.length)
  const all = { ...evidence, differences: differences.length }
  if (differences.length === 0) return { consumed, anomalies: [], evidence: all }
  const words = tellDifferences(differences, { left: 'live', right: 'after the replay' })
  if (from === 'history' && unknown > 0) {
    const undecided = `${words}; but ${unknown} operations of unknown outcome may explain it: replay the system's own log`
    return { consumed, anomalies: [], undecided, evidence: all }
  }
  return {
    consumed,
    anomalies: [
      {
        type: 'replay-differs',
        explanation: `The live state is not what the replay gives: ${words}.`,
        operations: [],
      },
    ],
    evidence: all,
  }
}
