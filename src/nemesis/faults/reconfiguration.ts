import { z } from 'zod'
import type { Evidence } from '../evidence.js'
import type { FaultDefinition, InjectContext, Injection, Target } from '../fault.js'
import { callRecorded } from './cluster/call-recorded.js'
import { hookFields, type HookOptions, hookSchema, type NodeHook } from './cluster/hook.js'
import { Hooks, type Purpose } from './cluster/hooks.js'
import { membersInWords, membersNow, untilMembers, type MembersHook } from './cluster/members.js'
import { targetNodes } from './cluster/target-nodes.js'
import { targetSchema } from './options.js'
import { takeBack } from './take-back.js'

export interface ReconfigurationOptions extends HookOptions {
  /** `add`: the cluster grows and shrinks back. `remove`: it shrinks and grows back. `replace`: out and in again. */
  readonly change: 'add' | 'remove' | 'replace'
  /** The node that is put in or taken out. */
  readonly node: Target
  /** Makes the node a member. For `add` it must not be one yet. */
  readonly add: NodeHook
  /** Takes the node out of the membership. */
  readonly remove: NodeHook
  /** The members as the system itself lists them. */
  readonly members: MembersHook
}

/**
 * A change of the membership while clients write.
 *
 * Landed when the hooks came back and the system's own list of members shows the change: one more, one less, or for
 * `replace` one less and then as many as before. Undone by the reverse hook; a replacement is undone by itself.
 */
export const reconfiguration: FaultDefinition<ReconfigurationOptions> = {
  name: 'reconfiguration',
  category: 'cluster',
  needs: [],
  options: z.strictObject({
    change: z.enum(['add', 'remove', 'replace']),
    node: targetSchema,
    add: hookSchema,
    remove: hookSchema,
    members: hookSchema,
    ...hookFields,
  }),
  inject: (context, options) => new Reconfiguration(context, options).inject(),
}

/** One change of the membership, from the first reading to the reverse hook. */
class Reconfiguration {
  readonly #context: InjectContext
  readonly #options: ReconfigurationOptions
  readonly #hooks: Hooks
  #before: readonly string[] = []
  /** Between the two halves of a replacement. */
  #between: readonly string[] | null = null
  #now: readonly string[] = []
  /** Hooks that have begun and whose reverse has not come back yet, in order. */
  readonly #owed: { readonly node: string; readonly reverse: 'add' | 'remove' }[] = []

  constructor(context: InjectContext, options: ReconfigurationOptions) {
    this.#context = context
    this.#options = options
    this.#hooks = new Hooks(context, {
      fault: 'reconfiguration',
      hookTimeout: options.hookTimeout,
    })
  }

  async inject(): Promise<Injection> {
    const { change, node: target } = this.#options
    const nodes = await targetNodes(this.#context, target, 'reconfiguration')
    this.#before = await this.#members('inject')
    this.#context.injecting()
    const changes: Evidence[] = []
    try {
      for (const node of nodes) {
        if (change !== 'add') changes.push(await this.#change('remove', node))
        if (change === 'replace') this.#between = await this.#members('inject')
        if (change !== 'remove') changes.push(await this.#change('add', node))
      }
    } catch (error) {
      return takeBack(error, () => this.#putBack())
    }
    return {
      target: `${change} ${nodes.join(', ')}`,
      mechanism: `hooks ${change === 'replace' ? 'remove() and add()' : `${change}()`}`,
      // Every member takes part in a change of the membership.
      affects: this.#context.nodes,
      evidence: async () => {
        this.#now = await this.#members('inject')
        return [...changes, ...this.#listed()]
      },
      objection: () => this.#unlike(nodes.length),
      // A replacement is over when it has landed.
      lost: async () => {
        if (change === 'replace') return null
        this.#now = await this.#members('undo')
        return this.#unlike(nodes.length)
      },
      heal: () => this.#putBack(),
    }
  }

  #members(purpose: Purpose): Promise<readonly string[]> {
    return membersNow(this.#hooks, { call: this.#options.members, purpose })
  }

  async #change(name: 'add' | 'remove', node: string): Promise<Evidence> {
    const owed = this.#owed.find((one) => one.node === node)
    // The second half of a replacement gives back what the first one took.
    if (owed === undefined) this.#owed.push({ node, reverse: name === 'add' ? 'remove' : 'add' })
    const evidence = await this.#call(name, node, 'inject')
    if (owed !== undefined) this.#owed.splice(this.#owed.indexOf(owed), 1)
    return evidence
  }

  async #call(name: 'add' | 'remove', node: string, purpose: Purpose): Promise<Evidence> {
    const called = await callRecorded(this.#context, { subject: node, hook: name }, () =>
      this.#hooks.onNode({ name, call: this.#options[name] }, node, purpose),
    )
    return called.evidence
  }

  #listed(): readonly Evidence[] {
    const row = (signal: string, members: readonly string[]): Evidence => ({
      side: 'victim',
      subject: this.#context.nodes.join(', '),
      signal,
      before: membersInWords(this.#before),
      after: membersInWords(members),
      at: this.#context.clock.now(),
    })
    const between = this.#between === null ? [] : [row('members after the removal', this.#between)]
    return [...between, row('members', this.#now)]
  }

  /** Why the lists do not show the change; null when they do. */
  #unlike(nodes: number): string | null {
    const { change } = this.#options
    const [had, have] = [this.#before.length, this.#now.length]
    const between = this.#between?.length ?? had
    if (change === 'replace') {
      if (between >= had) return `members() listed ${between} members after the removal, and ${had} before it`
      return have === had
        ? null
        : `members() lists ${have} members after the replacement, and ${had} before it`
    }
    const wanted = change === 'add' ? had + nodes : had - nodes
    if (have !== wanted)
      return `members() lists ${have} members instead of ${wanted}; before there were ${had}`
    const [fewer, more] = change === 'add' ? [this.#before, this.#now] : [this.#now, this.#before]
    const other = fewer.find((member) => !more.includes(member))
    if (other === undefined) return null
    return `members() lists ${change === 'add' ? 'no' : 'a new'} ${other}: the number is right, and others have changed`
  }

  async #putBack(): Promise<readonly Evidence[]> {
    const evidence: Evidence[] = []
    for (const owed of this.#owed.toReversed()) {
      evidence.push(await this.#call(owed.reverse, owed.node, 'undo'))
      this.#owed.splice(this.#owed.indexOf(owed), 1)
    }
    this.#now = await untilMembers(() => this.#members('undo'), this.#before.length)
    return [...evidence, ...this.#listed().slice(-1)]
  }
}
