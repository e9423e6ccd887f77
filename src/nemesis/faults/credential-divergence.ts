import { z } from 'zod'
import type { Evidence } from '../evidence.js'
import { changed, type FaultDefinition, type Target } from '../fault.js'
import { affectedBy } from './affected.js'
import { watchClients } from './client-trouble.js'
import { callRecorded } from './cluster/call-recorded.js'
import { hookFields, type HookOptions, hookSchema, type NodeHook } from './cluster/hook.js'
import { Hooks } from './cluster/hooks.js'
import { LinkStates } from './cluster/link-states.js'
import { targetNodes } from './cluster/target-nodes.js'
import { targetSchema } from './options.js'
import { takeBack } from './take-back.js'

export interface CredentialDivergenceOptions extends HookOptions {
  readonly node: Target
  /** Changes the secret on this node only. What it answers is not recorded. */
  readonly rotate: NodeHook
  /** Puts the old secret back. Safe to call twice. What it answers is not recorded. */
  readonly restore: NodeHook
  /**
   * What a node says of its logins: the state of a link, such as `up`, or a count of refused logins. Asked of every
   * node, and must work with either secret.
   */
  readonly link: NodeHook
  /** Ends the node's open links, so that they have to log in again; without it they may stay up. */
  readonly reconnect?: NodeHook | undefined
}

/**
 * Credential divergence: one side of the cluster has another secret than the rest.
 *
 * Landed when a login was refused somewhere: a node's link is not what it was, or its count of refusals grew. That the
 * secret was changed is no proof, because links that are open stay open.
 */
export const credentialDivergence: FaultDefinition<CredentialDivergenceOptions> = {
  name: 'credential-divergence',
  category: 'cluster',
  needs: [],
  options: z.strictObject({
    node: targetSchema,
    rotate: hookSchema,
    restore: hookSchema,
    link: hookSchema,
    reconnect: hookSchema.optional(),
    ...hookFields,
  }),
  async inject(context, given) {
    const fault = 'credential-divergence'
    const nodes = await targetNodes(context, given.node, fault)
    const hooks = new Hooks(context, { fault, hookTimeout: given.hookTimeout })
    const states = await LinkStates.before(context, { hooks, call: given.link })
    const clients = context.nodes.map((node) => watchClients(context, node, { stallMs: 250 }))
    const rotated = new Set<string>()
    const call = async (node: string, name: 'rotate' | 'restore' | 'reconnect', hook: NodeHook) => {
      const purpose = name === 'restore' ? 'undo' : 'inject'
      const called = await callRecorded(context, { subject: node, hook: name, secret: true }, () =>
        hooks.onNode({ name, call: hook }, node, purpose),
      )
      return called.evidence
    }
    const restoreAll = async (): Promise<readonly Evidence[]> => {
      const evidence: Evidence[] = []
      for (const node of [...rotated].toReversed()) {
        evidence.push(await call(node, 'restore', given.restore))
        rotated.delete(node)
      }
      return [...evidence, ...(await states.untilBack())]
    }
    context.injecting()
    const since = context.clock.now()
    const changes: Evidence[] = []
    try {
      for (const node of nodes) {
        rotated.add(node)
        changes.push(await call(node, 'rotate', given.rotate))
        if (given.reconnect !== undefined) changes.push(await call(node, 'reconnect', given.reconnect))
      }
    } catch (error) {
      return takeBack(error, restoreAll)
    }
    let objection: string | null = null
    return {
      target: nodes.join(', '),
      mechanism: given.reconnect === undefined ? 'hook rotate()' : 'hooks rotate() and reconnect()',
      affects: affectedBy(
        context,
        nodes.map((node) => ({ node })),
      ),
      async evidence() {
        const links = await states.read('inject')
        objection = links.some(changed)
          ? null
          : `no login was refused: ${links.map(({ subject, signal, after }) => `${signal} of ${subject} stayed ${after}`).join('; ')}${given.reconnect === undefined ? ' (open links stay open: give the hook reconnect)' : ''}`
        return [...changes, ...links, ...clients.flatMap((read) => read(since))]
      },
      objection: () => objection,
      async lost() {
        const links = await states.read('undo')
        return links.some(changed) ? null : 'every node says of its logins what it said before'
      },
      heal: restoreAll,
    }
  },
}
