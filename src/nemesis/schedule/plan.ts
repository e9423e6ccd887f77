import { milliseconds } from '../../time/duration.js'
import type { FaultDefinition, Nemesis, Schedule } from '../fault.js'

/** What `nemesis: [...]` of a scenario takes: a fault, or faults put together. */
export type FaultPlan = Nemesis | Sequence | Overlap | RandomFaults

/** One after another: each begins when the one before is healed. */
export interface Sequence {
  readonly kind: 'sequence'
  readonly steps: readonly FaultPlan[]
  /** Between the heal of one and the beginning of the next. */
  readonly pauseMs: number
}

/** Together: all begin at the same time. */
export interface Overlap {
  readonly kind: 'overlap'
  readonly members: readonly FaultPlan[]
}

/** Drawn by the seed of the run, within an envelope. */
export interface RandomFaults {
  readonly kind: 'random'
  readonly kinds: readonly Nemesis[]
  readonly maxOverlap: number
  readonly keepQuorum: boolean
  readonly quietMs: number
  /** How long a fault stays, at least and at most. */
  readonly forMs: readonly [number, number]
  /** Null: that of the run. */
  readonly seed: number | null
  readonly schedule: Pick<Schedule, 'at' | 'until'>
}

/** A part of a plan that injects faults itself, with its place in the plan. */
export interface Leaf {
  readonly path: string
  readonly plan: Nemesis | RandomFaults
}

/** Starting a step of a sequence takes some time: the fault before lands, and a node starts again. */
const turnAllowanceMs = 2_000

/** The parts that inject faults, in the order of the declaration. `path` names the place: `1.0` is the first part of the second. */
export function leavesOf(plan: FaultPlan, path: string): readonly Leaf[] {
  if ('definition' in plan || plan.kind === 'random') return [{ path, plan }]
  return partsOf(plan).flatMap((part, index) => leavesOf(part, pathOf(path, index)))
}

/** The path of a part within the plan at `path`. */
export function pathOf(path: string, index: number): string {
  return `${path}.${index}`
}

/** Every fault that a plan may inject. */
export function faultsIn(plan: FaultPlan): readonly Nemesis[] {
  return leavesOf(plan, '').flatMap((leaf) =>
    'definition' in leaf.plan ? [leaf.plan] : [...leaf.plan.kinds],
  )
}

/** True when the plan is over at some time before the end of the workload by what it declares. */
export function endsByItself(plan: FaultPlan): boolean {
  if ('definition' in plan) {
    const { for: lasts, every, until } = plan.schedule
    if (every !== undefined) return until !== undefined
    return plan.definition.oneShot === true || lasts !== undefined || until !== undefined
  }
  if (plan.kind === 'random') return plan.schedule.until !== undefined
  return partsOf(plan).every(endsByItself)
}

/** How long a workload must be at least, in milliseconds, for every declared fault to have its turn and its time. */
export function lengthMs(plan: FaultPlan): number {
  if ('definition' in plan) {
    const { at, for: lasts, until } = plan.schedule
    const ends = milliseconds(at ?? 0, 'at') + milliseconds(lasts ?? 0, 'for')
    return typeof until === 'function' || until === undefined
      ? ends
      : Math.max(ends, milliseconds(until, 'until'))
  }
  if (plan.kind === 'random') {
    const { at, until } = plan.schedule
    return milliseconds(typeof until === 'function' || until === undefined ? (at ?? 0) : until, 'until')
  }
  const parts = partsOf(plan).map(lengthMs)
  if (plan.kind === 'overlap') return Math.max(...parts)
  const turns = (parts.length - 1) * (plan.pauseMs + turnAllowanceMs)
  return parts.reduce((sum, part) => sum + part, turns)
}

function partsOf(plan: Sequence | Overlap): readonly FaultPlan[] {
  return plan.kind === 'sequence' ? plan.steps : plan.members
}

/** True for what `nemesis()` and its combinators return. */
export function isPlan(value: unknown): value is FaultPlan {
  if (typeof value !== 'object' || value === null) return false
  const { kind, definition } = value as { readonly kind?: unknown; readonly definition?: unknown }
  if (kind !== undefined) return kind === 'sequence' || kind === 'overlap' || kind === 'random'
  return typeof (definition as Partial<FaultDefinition> | undefined)?.inject === 'function'
}
