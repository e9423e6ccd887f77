import { DeclarationError } from '../../errors.js'
import { faultInWords } from '../../nemesis/describe.js'
import type { FaultWindow } from '../../nemesis/evidence.js'
import type { FaultCategory, Nemesis } from '../../nemesis/fault.js'
import { leavesOf, type FaultPlan, type Leaf } from '../../nemesis/schedule/plan.js'
import type { ScheduledFault } from '../../nemesis/schedule/record.js'
import type { RunRecord } from '../../session/record.js'
import { pinned } from './pinned.js'
import type { ReproducedFault } from './reproducer.js'

/** One fault that went in during a run, as it can be put in again by itself. */
export interface FaultEvent extends Pick<
  ReproducedFault,
  'id' | 'fault' | 'path' | 'kind' | 'drawn' | 'atMs' | 'forMs'
> {
  readonly category: FaultCategory
  /** The declared fault with its drawn targets in place of `random` and the like, and without times of its own. */
  readonly nemesis: Nemesis
  readonly window: FaultWindow
}

/**
 * The faults that went in during a recorded run, in order, each on its own: neither part of a sequence nor drawn.
 * `startedAt` is the start of the workload on the run's clock. Throws DeclarationError when the declared faults are not
 * those of the record any more.
 */
export function eventsOf(
  { schedule, faults, name }: Pick<RunRecord, 'schedule' | 'faults' | 'name'>,
  { plans, startedAt }: { readonly plans: readonly FaultPlan[]; readonly startedAt: number },
): FaultEvent[] {
  const leaves = leavesIn(plans)
  const events = schedule.flatMap(({ declared, faults: fired }, index) => {
    const leaf = leaves[index]
    if (leaf === undefined) throw changed(`${name} had ${declared}`)
    return fired.flatMap((one) => {
      const window = faults.find(({ id }) => id === one.id)
      return window === undefined ? [] : [eventOf(one, { leaf, window, startedAt })]
    })
  })
  return events.toSorted((one, other) => one.window.injected_ts - other.window.injected_ts)
}

/**
 * When a fault began to be taken back, on the run's clock; null when it never was. A node that is started again serves
 * well before its heal is complete.
 */
export function healBegan({ window, forMs }: Pick<FaultEvent, 'window' | 'forMs'>): number | null {
  const { injected_ts: injected, landed_ts: landed, healed_ts: healed } = window
  if (healed === null || forMs === null) return healed
  return Math.min(healed, (landed ?? injected) + forMs * 1e6)
}

/** The fault of a reproducer, to be put in. Throws DeclarationError when the declaration has it no more. */
export function nemesisOf(
  plans: readonly FaultPlan[],
  { fault, path, kind, drawn }: Pick<ReproducedFault, 'fault' | 'path' | 'kind' | 'drawn'>,
): Nemesis {
  const leaf = leavesIn(plans).find((one) => one.path === path)
  const candidates = leaf === undefined ? [] : faultsOf(leaf)
  const nemesis = candidates[kind ?? 0]
  if (nemesis === undefined || faultInWords(nemesis) !== fault) throw changed(`the record has ${fault}`)
  return pinned({ ...nemesis, schedule: {} }, drawn)
}

function eventOf(
  fired: ScheduledFault,
  { leaf, window, startedAt }: { leaf: Leaf; window: FaultWindow; startedAt: number },
): FaultEvent {
  const index = faultsOf(leaf).findIndex((nemesis) => faultInWords(nemesis) === fired.fault)
  const nemesis = faultsOf(leaf)[index]
  if (nemesis === undefined) throw changed(`the record has ${fired.fault}`)
  const { injected_ts: injected, landed_ts: landed, healed_ts: healed } = window
  const stayed = healed !== null && nemesis.definition.oneShot !== true
  return {
    id: window.id,
    fault: fired.fault,
    path: leaf.path,
    kind: 'definition' in leaf.plan ? null : index,
    drawn: fired.drawn,
    atMs: Math.max(0, Math.round((injected - startedAt) / 1e6)),
    forMs:
      stayed && fired.forMs !== null
        ? Math.min(fired.forMs, Math.round((healed - (landed ?? injected)) / 1e6))
        : null,
    category: nemesis.definition.category,
    nemesis: pinned({ ...nemesis, schedule: {} }, fired.drawn),
    window,
  }
}

function leavesIn(plans: readonly FaultPlan[]): Leaf[] {
  return plans.flatMap((plan, index) => leavesOf(plan, `${index}`))
}

function faultsOf({ plan }: Leaf): readonly Nemesis[] {
  return 'definition' in plan ? [plan] : plan.kinds
}

function changed(what: string): DeclarationError {
  return new DeclarationError('changed', `the scenario does not declare the faults of the record: ${what}`, {
    hint: 'the declaration has changed since; run the scenario again and take that session',
  })
}
