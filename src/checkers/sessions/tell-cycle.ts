import type { Anomaly } from '../checker.js'
import { shown, tell } from '../words.js'
import type { Access } from './accesses.js'
import type { Places } from './places.js'
import { operationsThatShow } from './shown-by.js'
import type { Edge } from './write-order.js'

/** Steps of a cycle that a sentence tells. */
const longest = 6

/** From one write to the next on a cycle, and the operations that ask for that order. */
interface Step {
  readonly from: number
  readonly to: number
  readonly earlier: number
  readonly later: number
}

/** A cycle of writes in terms of the operations that ask for it: none of the writes can be first. */
export function tellCycle(
  cycle: readonly Edge[],
  accesses: readonly Access[],
  places: Pick<Places, 'into' | 'shownBy' | 'versionFrom'>,
): Anomaly {
  const steps = stepsOf(cycle, places)
  const sentences = steps.slice(0, longest).map((step) => sentenceOf(step, accesses, places))
  const more = steps.length > longest ? `; and ${steps.length - longest} more` : ''
  const shows = steps.flatMap(({ from, to, earlier, later }) => [
    places.shownBy.get(from) ?? -1,
    places.shownBy.get(to) ?? -1,
    earlier,
    later,
  ])
  const evidence = shows.filter((index) => index !== -1)
  const edges = steps.map((step) => edgeOf(step, accesses, places))
  return {
    type: 'contradictory-order',
    explanation: `No order of the writes fits: ${sentences.join('; ')}${more}`,
    operations: operationsThatShow(evidence, accesses, places),
    // A version that no operation shows has no place in a picture of operations.
    ...(edges.every((edge) => edge !== null) && { cycle: edges }),
  }
}

/** A step in terms of the operations that show its ends; null when nothing shows one of them. */
function edgeOf(
  step: Step,
  accesses: readonly Access[],
  places: Pick<Places, 'shownBy'>,
): NonNullable<Anomaly['cycle']>[number] | null {
  const from = accesses[places.shownBy.get(step.from) ?? -1]
  const to = accesses[places.shownBy.get(step.to) ?? -1]
  if (from === undefined || to === undefined) return null
  return { from: from.operation.op_id, to: to.operation.op_id, why: reasonOf(step, accesses, places) }
}

/** Joins what leads through relays, and what leads through several versions, to one step each. */
function stepsOf(cycle: readonly Edge[], { shownBy }: Pick<Places, 'shownBy'>): Step[] {
  const first = Math.max(
    cycle.findIndex(({ from }) => shownBy.has(from)),
    0,
  )
  const steps: Step[] = []
  let open: { from: number; earlier: number } | null = null
  for (const { from, to, earlier, later } of [...cycle.slice(first), ...cycle.slice(0, first)]) {
    open ??= { from, earlier }
    if (!shownBy.has(to)) continue
    const step = { ...open, to, later }
    const before: Step | undefined = steps.at(-1)
    if (before !== undefined && isByVersion(step) && isByVersion(before)) {
      steps[steps.length - 1] = { ...before, to }
    } else steps.push(step)
    open = null
  }
  return steps
}

function isByVersion({ earlier, later }: Step): boolean {
  return earlier === -1 && later === -1
}

function sentenceOf(step: Step, accesses: readonly Access[], places: Pick<Places, 'shownBy'>): string {
  const { from, to } = step
  const told = `${writeAt(from, accesses, places)} before ${writeAt(to, accesses, places)}`
  return `${told} ${reasonOf(step, accesses, places)}`
}

/** What asks for the order of a step. */
function reasonOf(step: Step, accesses: readonly Access[], places: Pick<Places, 'shownBy'>): string {
  if (isByVersion(step)) return 'by their versions'
  const { from, to, earlier, later } = step
  const asked = [...new Set([earlier, later])].filter(
    (index) => index !== -1 && index !== places.shownBy.get(from) && index !== places.shownBy.get(to),
  )
  if (asked.length === 0) return 'by the order in which they were done'
  return `by ${asked.map((index) => tell(accesses[index]!.operation)).join(' and ')}`
}

function writeAt(node: number, accesses: readonly Access[], { shownBy }: Pick<Places, 'shownBy'>): string {
  const access = accesses[shownBy.get(node) ?? -1]
  if (access === undefined) return 'what was read'
  if (!access.isRead) return tell(access.operation)
  return `version ${shown(access.version ?? access.operation.output)}`
}
