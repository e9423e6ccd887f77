import { FaultError } from '../../errors.js'
import { linkName, type Link, type LinkCounter, type NetworkRule } from '../../systems/capabilities.js'
import type { Evidence } from '../evidence.js'
import type { InjectContext, Injection } from '../fault.js'
import { becomes } from '../../time/wait.js'
import { watchClients } from './client-trouble.js'
import { watchBeside } from './watch-beside.js'

/** How long a rule may take to be gone after it was taken away. */
const goneWithinMs = 2_000

/** What a network fault is about. */
export interface NetworkFault {
  readonly target: string
  readonly links: readonly Link[]
  /** What the rule does to traffic that meets it, such as `dropped`. */
  readonly verb: string
  /** Ends of links: each must have had traffic that met the rule. The other links may be silent. */
  readonly mustMeet: readonly string[]
  /**
   * What is let through on purpose: `some` of what meets the rule, or `connections` that it is not about. Left out where
   * nothing may cross the links.
   */
  readonly spares?: 'some' | 'connections'
  /** A further reading of a link's counter; null while there is none. */
  readonly measure?: (counter: LinkCounter) => { readonly signal: string; readonly value: number } | null
  /** Links that stay open in a fault about one direction; what comes through on them is watched where the system can. */
  readonly open: readonly Link[]
  /** An operation that waits this long counts as a victim's sign. */
  readonly stallMs: number
  put(): Promise<NetworkRule>
}

/**
 * Puts a rule on links.
 *
 * Injector side: the rule's counter of every link, from 0. Victim side: what the nodes at the ends say by themselves,
 * and their clients' troubles. Affected are the clients of both ends of every link, as a node serves its clients with
 * what it gets over its links. Not proven while one of `mustMeet` has met nothing, while a link carries traffic that
 * the rule does not meet, or while nothing came through on links that are to stay open (where the rule counts those).
 */
export async function networkInjection(context: InjectContext, fault: NetworkFault): Promise<Injection> {
  const affects = context.nodes.filter((node) =>
    fault.links.some(({ from, to }) => from === node || to === node),
  )
  const clientWatches = affects.map((node) => watchClients(context, node, { stallMs: fault.stallMs }))
  context.injecting()
  const since = context.clock.now()
  const watch = await watchOpen(context, fault)
  const rule = await fault.put().catch(async (error: unknown) => {
    await watch?.remove()
    throw error
  })
  const atStart = await victimsNow(rule).catch(async (error: unknown) => {
    await Promise.all([watch?.remove(), rule.remove()])
    throw error
  })
  let counters: readonly LinkCounter[] = []
  const beside = watchBeside(context, fault)
  return {
    target: fault.target,
    mechanism: rule.mechanism,
    affects,
    async evidence() {
      counters = [...(await rule.counters()), ...((await watch?.counters()) ?? [])]
      const counted = countersAsEvidence(fault, counters, context.clock.now())
      await beside.look(counters)
      const victims = await rule.victims()
      const at = context.clock.now()
      const suffering = victims
        .map(({ node, signal, value }): Evidence => {
          const before = atStart.get(`${node} ${signal}`) ?? 0
          return { side: 'victim', subject: node, signal, before, after: value, at }
        })
        // A node that was started anew counts from zero again: less than before is no sign of suffering.
        .filter(({ before, after }) => Number(after) >= Number(before))
      return [...counted, ...suffering, ...clientWatches.flatMap((read) => read(since))]
    },
    objection: () =>
      leak(fault, counters) ?? beside.missed() ?? silence(fault, counters) ?? closed(fault, counters),
    bypasses: () => rule.bypasses(),
    lost: async () => (await rule.lost?.()) ?? null,
    async heal() {
      await Promise.all([watch?.remove(), beside.end()])
      return takeAway(context, fault, rule)
    },
  }
}

async function victimsNow(rule: NetworkRule): Promise<ReadonlyMap<string, number>> {
  return new Map((await rule.victims()).map(({ node, signal, value }) => [`${node} ${signal}`, value]))
}

async function watchOpen(context: InjectContext, { open }: NetworkFault): Promise<NetworkRule | null> {
  const { links } = context.network
  const offered = open.filter(({ from, to }) => links.some((link) => link.from === from && link.to === to))
  return offered.length === 0 ? null : ((await context.network.watch?.(offered)) ?? null)
}

function countersAsEvidence(
  fault: NetworkFault,
  counters: readonly LinkCounter[],
  at: number,
): readonly Evidence[] {
  const row = (link: Link, signal: string, after: number | null): Evidence => ({
    side: 'injector',
    subject: linkName(link),
    signal,
    before: 0,
    after,
    at,
  })
  return [
    ...fault.links.map((link) => row(link, `traffic ${fault.verb}`, counterOf(counters, link)?.met ?? null)),
    ...fault.links.flatMap((link) => {
      const counter = counterOf(counters, link)
      const read = counter === undefined ? null : (fault.measure?.(counter) ?? null)
      return read === null ? [] : [row(link, read.signal, read.value)]
    }),
    ...fault.open.flatMap((link) => {
      const counter = counterOf(counters, link)
      return counter === undefined ? [] : [row(link, 'traffic let through the other way', counter.passed)]
    }),
  ]
}

function counterOf(counters: readonly LinkCounter[], link: Link): LinkCounter | undefined {
  return counters.find((counter) => counter.link.from === link.from && counter.link.to === link.to)
}

/** A link that carries traffic which the rule does not see. */
function leak(fault: NetworkFault, counters: readonly LinkCounter[]): string | null {
  if (fault.spares !== undefined) return null
  for (const link of fault.links) {
    const counter = counterOf(counters, link)
    if (counter !== undefined && counter.met === 0 && counter.passed > 0) {
      return `traffic crosses ${linkName(link)} without meeting the rule (${counter.passed} passed, 0 ${fault.verb})`
    }
  }
  return null
}

/** An end that must meet the fault and has not. */
function silence(fault: NetworkFault, counters: readonly LinkCounter[]): string | null {
  for (const end of fault.mustMeet) {
    const touching = fault.links.filter(({ from, to }) => from === end || to === end)
    if (touching.some((link) => (counterOf(counters, link)?.met ?? 0) > 0)) continue
    const names = touching.map(linkName).join(', ')
    const spared = touching.reduce((sum, link) => sum + (counterOf(counters, link)?.passed ?? 0), 0)
    if (fault.spares === 'some' && spared > 0)
      return `of ${spared} that crossed ${names} none was ${fault.verb}`
    return `no traffic met the rule on ${names} (0 before, 0 after): ${touching.length === 1 ? 'the link carries' : 'the links carry'} no traffic, or it goes another way`
  }
  return null
}

/** A fault in one direction under which nothing comes through in the other one either. */
function closed(fault: NetworkFault, counters: readonly LinkCounter[]): string | null {
  const counted = fault.open.filter((link) => counterOf(counters, link) !== undefined)
  if (counted.length === 0 || counted.some((link) => (counterOf(counters, link)?.passed ?? 0) > 0))
    return null
  return `nothing came through on ${counted.map(linkName).join(', ')}, which stays open: cut in both directions, this is no asymmetric fault`
}

async function takeAway(
  context: InjectContext,
  fault: NetworkFault,
  rule: NetworkRule,
): Promise<readonly Evidence[]> {
  const wasPresent = await rule.present()
  await rule.remove()
  const gone = await becomes(async () => !(await rule.present()), { withinMs: goneWithinMs })
  const subject = fault.links.map(linkName).join(', ')
  if (!gone) {
    throw new FaultError(
      'heal',
      `the rule on ${subject} (${rule.mechanism}) is still in place after it was removed`,
    )
  }
  const at = context.clock.now()
  return [
    {
      side: 'injector',
      subject,
      signal: 'rule in place',
      before: wasPresent ? 'yes' : 'no',
      after: 'no',
      at,
    },
  ]
}
