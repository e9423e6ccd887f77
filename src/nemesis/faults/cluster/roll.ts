import { z } from 'zod'
import { EnvironmentError, messageOf } from '../../../errors.js'
import { milliseconds, type Duration } from '../../../time/duration.js'
import { sleep } from '../../../time/sleep.js'
import type { Evidence } from '../../evidence.js'
import type { FaultContext } from '../../fault.js'
import { becomes, seconds } from '../../../time/wait.js'
import { hookFields, hookSchema, type HookOptions, type NodeHook } from './hook.js'
import { durationSchema } from '../options.js'
import type { Hooks } from './hooks.js'
import { nextTurn, orderSchema, type RollOrder } from './order.js'

/** A predicate of the user's that says when a node is well again, or `none` when nobody waits. */
export type RollWait = NodeHook | 'none'

/** What every fault that takes nodes one after the other is told. */
export interface RollOptions extends HookOptions {
  /** Which node goes when. The usual wrong order is `leader-first`. */
  readonly order: RollOrder
  /** Resolves to true when the node is well again, so that the next one may go. Default `none`: nobody waits. */
  readonly wait?: RollWait | undefined
  /** How long a node may take to be well again; after that the roll stops, as an operator would. Default 20 s. */
  readonly waitWithin?: Duration | undefined
  /** Time between one node and the next. Default none. */
  readonly pause?: Duration | undefined
}

/** The fields of `RollOptions`. */
export const rollFields = {
  order: orderSchema,
  wait: z
    .union(
      [z.literal('none'), hookSchema],
      "expected 'none', or a function that resolves to true when the node is well again",
    )
    .optional(),
  waitWithin: durationSchema.optional(),
  pause: durationSchema.optional(),
  ...hookFields,
}

/** One node after the other. */
export interface Roll {
  readonly nodes: readonly string[]
  readonly hooks: Hooks
  /** What is done to a node in its turn, such as `restarted`. */
  readonly verb: string
  /** Does it; resolves to what was seen meanwhile. */
  visit(node: string): Promise<readonly Evidence[]>
}

/** What came of a roll. */
export interface Rolled {
  readonly evidence: readonly Evidence[]
  /** Why it ended before its last node; null when it did not. */
  readonly stopped: string | null
}

/** How a roll goes, for people. */
export function rollInWords({ order, wait = 'none' }: RollOptions): string {
  return `${typeof order === 'string' ? order : 'in the order given'}, waiting for ${wait === 'none' ? 'nobody' : 'each'}`
}

/**
 * Takes the nodes in their order. With a predicate it waits until each node is well again, and stops at one that is
 * not in its time. Throws what `visit` throws.
 */
export async function roll(
  context: FaultContext,
  { order, wait = 'none', waitWithin = '20s', pause = 0 }: RollOptions,
  { nodes, hooks, verb, visit }: Roll,
): Promise<Rolled> {
  const pauseMs = milliseconds(pause, 'pause')
  const withinMs = milliseconds(waitWithin, 'waitWithin')
  const evidence: Evidence[] = []
  let left = nodes
  for (let number = 1; ; number++) {
    if (number > 1 && left.length > 0) await sleep(pauseMs, context.signal)
    const turn = await nextTurn(context, order, left)
    if (turn === null) return { evidence, stopped: null }
    if (context.signal.aborted) return { evidence, stopped: `the run was cancelled before ${turn.node}` }
    evidence.push(...(await visit(turn.node)))
    const who =
      turn.leader === null ? '' : turn.leader === turn.node ? ', the leader then' : ', a follower then'
    evidence.push({
      side: 'injector',
      subject: turn.node,
      signal: `turn in which it was ${verb}`,
      before: null,
      after: `${number} of ${nodes.length}${who}`,
      at: context.clock.now(),
    })
    left = left.filter((node) => node !== turn.node)
    if (wait === 'none') continue
    const well = await untilWell(context, hooks, { node: turn.node, call: wait, withinMs })
    if (well.trouble !== null) {
      const stopped = `${well.trouble}: the roll stopped after ${number} of ${nodes.length} nodes (waitWithin gives them longer)`
      return { evidence, stopped }
    }
    evidence.push(well.evidence)
  }
}

async function untilWell(
  context: FaultContext,
  hooks: Hooks,
  { node, call, withinMs }: { node: string; call: NodeHook; withinMs: number },
): Promise<{ trouble: string; evidence?: never } | { trouble: null; evidence: Evidence }> {
  const began = context.clock.now()
  let last = ''
  const well = await becomes(
    async () => {
      if (context.signal.aborted) return true
      try {
        const answer = await hooks.onNode({ name: 'wait', call }, node, 'inject')
        last = ` (wait() answered ${String(answer)})`
        return answer === true
      } catch (error) {
        if (error instanceof EnvironmentError) throw error
        // A node that was just started may well refuse to answer.
        last = ` (${messageOf(error)})`
        return false
      }
    },
    { withinMs, everyMs: 50 },
  )
  if (!well) return { trouble: `${node} was not well within ${seconds(withinMs)} of its turn${last}` }
  const at = context.clock.now()
  const after = Math.round((at - began) / 1e6)
  return {
    trouble: null,
    evidence: { side: 'injector', subject: node, signal: 'well again after (ms)', before: null, after, at },
  }
}
