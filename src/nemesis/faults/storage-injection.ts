import { EnvironmentError, FaultError } from '../../errors.js'
import type { Disturbance, NodeState, StorageRule } from '../../systems/capabilities.js'
import type { Evidence } from '../evidence.js'
import { changed, type InjectContext, type Injection, type Target } from '../fault.js'
import { becomes } from '../../time/wait.js'
import { affectedBy } from './affected.js'
import { allOrNone } from './all-or-none.js'
import { watchClients, type ClientWatch } from './client-trouble.js'
import { describeState, endedByKill } from './process-evidence.js'
import { probe } from './probe.js'
import { processTargets, type ProcessTarget } from './process-target.js'
import { revive } from './revive.js'

/** How long a rule may take to be gone after it was taken away. */
const goneWithinMs = 2_000
/** How long a rule may take to be on a node that has been started anew. */
const presentWithinMs = 1_000

/** How long a node that refuses connections may take to have ended, or to answer again. */
const settledWithinMs = 5_000

/** How long a node that is restarted may take to end. */
const restartGraceMs = 5_000

/** What a storage fault is about. */
export interface StorageFault {
  readonly fault: string
  readonly node: Target
  readonly disturbance: Disturbance
  /** What is done to the nodes, such as `fsync fails with EIO`. */
  readonly what: string
  /** An operation that waits this long counts as a victim's sign. */
  readonly stallMs: number
  /** Restarts the nodes when it is undone: for programs that stay in their error state otherwise. */
  readonly restart?: boolean
}

/** One node with the rule on its files. */
interface Disturbed {
  readonly target: ProcessTarget
  readonly rule: StorageRule
  readonly clients: ClientWatch
}

/**
 * Disturbs the files of nodes.
 *
 * Injector side: what the mechanism counted, from 0, and its other readings. Victim side: what the mechanism knows of
 * the node, the troubles of its clients, and a node that ends by itself. Not proven while a node has not met the disturbance. Undone by taking the
 * rule away; a node that ended by itself is started again.
 */
export async function storageInjection(context: InjectContext, given: StorageFault): Promise<Injection> {
  const { storage } = context
  const { fault, disturbance } = given
  const missing = storage.lacks(disturbance.kind)
  if (missing !== null) {
    throw new EnvironmentError(
      missing.what,
      `${fault} cannot be made here: ${missing.what} is missing`,
      missing.hint,
    )
  }
  const targets = await processTargets(context, given.node, fault)
  const watches = targets.map(({ node }) => watchClients(context, node, { stallMs: given.stallMs }))
  context.injecting()
  const since = context.clock.now()
  const rules = await allOrNone(
    targets,
    ({ node }) => storage.disturb(node, disturbance),
    (put) => Promise.all(put.map((rule) => rule.remove())),
  )
  const disturbed = targets.map((target, index): Disturbed => ({
    target,
    rule: rules[index] as StorageRule,
    clients: watches[index] as ClientWatch,
  }))
  let evidence: readonly Evidence[] = []
  return {
    target: `${targets.map(({ node }) => node).join(', ')}: ${given.what}`,
    mechanism: [...new Set(rules.map(({ mechanism }) => mechanism))].join(', '),
    affects: affectedBy(context, targets),
    async evidence() {
      const read = await Promise.all(disturbed.map((one) => readBoth(context, one, since)))
      evidence = read.flat()
      return evidence
    },
    objection: () => unproven(disturbed, evidence),
    async lost() {
      const losses = await Promise.all(disturbed.map((one) => lossOf(context, one)))
      return losses.find((loss) => loss !== null) ?? null
    },
    async heal() {
      const gone = await Promise.all(
        disturbed.map(({ target, rule }) => takeAway(context, target.node, rule)),
      )
      const down = await broughtDown(context, targets, given.restart ?? false)
      return [...gone.flat(), ...(await revive(context, down))]
    },
  }
}

async function readBoth(
  context: InjectContext,
  { target, rule, clients }: Disturbed,
  since: number,
): Promise<readonly Evidence[]> {
  const { node } = target
  const counters = (await rule.counters()).map(({ signal, value }) => ({ signal, before: 0, after: value }))
  const readings = [...counters, ...((await rule.readings?.()) ?? [])]
  const victims = (await rule.victims?.()) ?? []
  const at = context.clock.now()
  const state = await context.lifecycle.state(node)
  // A node that another fault has killed does not suffer from this one.
  const ended: readonly Evidence[] =
    state.status !== 'exited' || endedByKill(state)
      ? []
      : [
          {
            side: 'victim',
            subject: node,
            signal: 'process state',
            before: describeState(target.state),
            after: describeState(state),
            at: context.clock.now(),
          },
        ]
  return [
    ...readings.map((reading): Evidence => ({ side: 'injector', subject: node, ...reading, at })),
    ...victims.map((reading): Evidence => ({ side: 'victim', subject: node, ...reading, at })),
    ...clients(since),
    ...ended,
  ]
}

/** A mechanism must have done all that it does: a file that takes up space is no full disk while a write still works. */
function unproven(disturbed: readonly Disturbed[], evidence: readonly Evidence[]): string | null {
  for (const { target, rule } of disturbed) {
    const own = evidence.filter((item) => item.subject === target.node)
    const met = own.filter(({ side }) => side === 'injector')
    const still = met.filter((item) => !changed(item))
    if (met.length > 0 && still.length === 0) continue
    const stayed = still.map(({ signal, after }) => `${signal}: ${after}`).join('; ')
    return still.length === met.length
      ? `no file operation of ${target.node} met the fault (${rule.mechanism}; ${stayed}): it writes elsewhere, or not at all`
      : `${rule.mechanism} has not had its effect on ${target.node} (${stayed})`
  }
  return null
}

/** Why the rule is gone from a node that runs; it may take a moment to be on one that has just been started. */
async function lossOf(context: InjectContext, { target, rule }: Disturbed): Promise<string | null> {
  const holds = async () =>
    (await rule.present()) || (await context.lifecycle.state(target.node)).status === 'exited'
  return (await becomes(holds, { withinMs: presentWithinMs }))
    ? null
    : `${rule.mechanism} is not in place on ${target.node} any more`
}

async function takeAway(
  context: InjectContext,
  node: string,
  rule: StorageRule,
): Promise<readonly Evidence[]> {
  const wasPresent = await rule.present()
  const during = (await rule.readings?.()) ?? []
  await rule.remove()
  if (!(await becomes(async () => !(await rule.present()), { withinMs: goneWithinMs }))) {
    throw new FaultError('heal', `${rule.mechanism} on ${node} is still in place after it was taken away`)
  }
  const after = (await rule.readings?.()) ?? []
  const at = context.clock.now()
  const row = (signal: string, before: number | string, now: number | string): Evidence => ({
    side: 'injector',
    subject: node,
    signal,
    before,
    after: now,
    at,
  })
  return [
    row('rule in place', wasPresent ? 'yes' : 'no', 'no'),
    ...after.map((reading, index) =>
      row(reading.signal, during[index]?.after ?? reading.before, reading.after),
    ),
  ]
}

/**
 * Nodes that ended by themselves, and the others as well, which are stopped, when all are to be restarted. What another
 * fault has killed is that fault's to start.
 */
async function broughtDown(
  context: InjectContext,
  targets: readonly ProcessTarget[],
  restart: boolean,
): Promise<readonly ProcessTarget[]> {
  const { lifecycle } = context
  const down = await Promise.all(
    targets.map(async (target) => {
      const state = await settledState(context, target.node)
      if (state.status === 'exited') return endedByKill(state) ? [] : [target]
      if (!restart || state.status !== 'running') return []
      await lifecycle.stop(target.node, restartGraceMs)
      return [target]
    }),
  )
  return down.flat()
}

/** The state of a node, of whose end clients may know earlier than an engine that is busy. */
async function settledState(context: InjectContext, node: string): Promise<NodeState> {
  let state = await context.lifecycle.state(node)
  await becomes(
    async () => {
      if (state.status === 'running' && (await probe(context, node)) !== 'refused') return true
      state = await context.lifecycle.state(node)
      return state.status !== 'running'
    },
    { withinMs: settledWithinMs },
  )
  return state
}
