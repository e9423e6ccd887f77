import { FaultError, messageOf } from '../../errors.js'
import type { ClockRule } from '../../systems/capabilities.js'
import type { Evidence } from '../evidence.js'
import { changed, type InjectContext, type Injection, type Target } from '../fault.js'
import { becomes } from '../../time/wait.js'
import { affectedBy } from './affected.js'
import { allOrNone } from './all-or-none.js'
import { nodeTime, toleranceMs, type NodeTime } from './node-time.js'
import { processTargets } from './process-target.js'

/** A change of clocks as a fault puts it. */
export interface ClockFault {
  readonly fault: string
  readonly node: Target
  /** For people, after the nodes: `by -1h`. */
  readonly words: string
  put(node: string): Promise<ClockRule>
  /** How far a node's clock is ahead of where it was, so long after the injection. */
  aheadMs(elapsedMs: number): number
}

const agreesWithinMs = 10_000
const processesSignal = 'processes with a changed clock'
const clockSignal = "its own clock, ahead of the machine's (ms)"

/** One node of the fault. */
interface Changed {
  readonly node: string
  readonly rule: ClockRule
  /** Null when the system says no way to ask. */
  readonly before: NodeTime | null
  /** The machine's clock before and after it was changed. */
  readonly since: readonly [from: number, to: number]
}

/**
 * Puts a change of clocks in place.
 *
 * The injector's evidence are the node's processes whose clock functions, read back from their memory, are the changed
 * ones; the victim's is what the node's own clock says when it is asked, which must have moved as declared and further
 * than such a reading may be off. Healing gives the functions back and waits until the node's clock agrees again.
 */
export async function clockInjection(context: InjectContext, fault: ClockFault): Promise<Injection> {
  const targets = await processTargets(context, fault.node, fault.fault)
  const nodes = targets.map(({ node }) => node)
  const before = await Promise.all(nodes.map((node) => nodeTime(context, node)))
  context.injecting()
  const all = await allOrNone(
    nodes,
    async (node, index): Promise<Changed> => {
      const from = Date.now()
      const rule = await fault.put(node)
      return { node, rule, before: before[index] ?? null, since: [from, Date.now()] }
    },
    (done) => Promise.all(done.map(({ rule }) => rule.remove())),
  )
  let objection: string | null = null
  return {
    target: `${nodes.join(', ')} ${fault.words}`,
    mechanism: all[0]?.rule.mechanism ?? '',
    affects: affectedBy(context, targets),
    async evidence() {
      const looks = await Promise.all(all.map((one) => look(context, fault, one)))
      objection = looks.find((one) => one.objection !== null)?.objection ?? null
      return looks.flatMap((one) => one.evidence)
    },
    objection: () => objection,
    async lost() {
      const reasons = await Promise.all(all.map((one) => lossOf(context, fault, one)))
      return reasons.find((why) => why !== null) ?? null
    },
    heal: async () => (await Promise.all(all.map((one) => heal(context, one)))).flat(),
  }
}

interface ClockLook {
  readonly evidence: readonly Evidence[]
  readonly objection: string | null
}

async function look(context: InjectContext, fault: ClockFault, one: Changed): Promise<ClockLook> {
  const { node, before } = one
  const reach = await one.rule.reach()
  const injector: Evidence = {
    side: 'injector',
    subject: node,
    signal: processesSignal,
    before: 0,
    after: reach.changed,
    at: context.clock.now(),
  }
  const notReached = changed(injector) ? null : `no process of ${node} has a changed clock`
  if (before === null) {
    const unread = 'its own clock (give system() a `clock` to have it read)'
    return { evidence: [injector, victim(context, node, unread, null, null)], objection: notReached }
  }
  try {
    const now = (await nodeTime(context, node)) as NodeTime
    const clock = victim(context, node, clockSignal, before, now)
    return {
      evidence: [injector, clock],
      objection: notReached ?? contradiction(fault, one, { before, now }),
    }
  } catch (error) {
    return { evidence: [injector], objection: notReached ?? messageOf(error) }
  }
}

/** Why the change is gone; also when a new process of the node serves in the place of a changed one. */
async function lossOf(context: InjectContext, fault: ClockFault, one: Changed): Promise<string | null> {
  const why = await one.rule.lost()
  const { before } = one
  if (why !== null || before === null) return why
  // A node that cannot be asked at this moment says nothing against it.
  const now = await nodeTime(context, one.node).catch(() => null)
  return now === null ? null : contradiction(fault, one, { before, now })
}

/** Why two readings of a clock do not show the change; null when they do. */
function contradiction(
  fault: ClockFault,
  { node, since: [from, to] }: Changed,
  { before, now }: { before: NodeTime; now: NodeTime },
): string | null {
  const expectedMs = fault.aheadMs(now.at - to)
  // A rate multiplies what is not known of the moments of the change and of the reading.
  const spreadMs = Math.abs(fault.aheadMs(now.at - from + now.uncertainMs) - expectedMs)
  const tolerance = toleranceMs(before, now) + spreadMs
  const movedMs = now.aheadMs - before.aheadMs
  if (Math.abs(movedMs - expectedMs) > tolerance) {
    return `the own clock of ${node} moved by ${Math.round(movedMs)} ms against the machine's, not by ${Math.round(expectedMs)} ms`
  }
  if (Math.abs(expectedMs) > 2 * tolerance) return null
  return `the own clock of ${node} can be read to ${Math.round(tolerance)} ms only, which does not show ${Math.round(expectedMs)} ms`
}

function victim(
  context: InjectContext,
  node: string,
  signal: string,
  before: NodeTime | null,
  after: NodeTime | null,
): Evidence {
  const value = (time: NodeTime | null) => (time === null ? null : Math.round(time.aheadMs) || 0)
  return {
    side: 'victim',
    subject: node,
    signal,
    before: value(before),
    after: value(after),
    at: context.clock.now(),
  }
}

async function heal(context: InjectContext, one: Changed): Promise<readonly Evidence[]> {
  const { node, rule, before } = one
  const wereChanged = (await rule.reach()).changed
  const last = before === null ? null : await nodeTime(context, node).catch(() => null)
  await rule.remove()
  const left = (await rule.reach()).changed
  if (left > 0 || (await rule.present())) {
    throw new FaultError('heal', `${left} processes of ${node} still have a changed clock`)
  }
  const at = context.clock.now()
  const processes: Evidence = {
    side: 'injector',
    subject: node,
    signal: processesSignal,
    before: wereChanged,
    after: 0,
    at,
  }
  if (before === null) return [processes]
  let now: NodeTime | null = null
  const agrees = await becomes(
    async () => {
      // A node that is down or paused, or that another fault keeps from answering, has no clock to compare.
      if ((await context.lifecycle.state(node)).status !== 'running') return true
      now = await nodeTime(context, node).catch(() => null)
      return now !== null && Math.abs(now.aheadMs - before.aheadMs) <= toleranceMs(before, now)
    },
    { withinMs: agreesWithinMs },
  )
  const reading = victim(context, node, clockSignal, last, now)
  if (!agrees && now !== null) {
    throw new FaultError(
      'heal',
      `the own clock of ${node} is ${reading.after} ms ahead of the machine's after the heal`,
      {
        hint: 'its clock functions are the original ones again; what the program keeps by itself can be cleared by a restart',
      },
    )
  }
  return [processes, reading]
}
