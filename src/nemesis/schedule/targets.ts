import { FaultError } from '../../errors.js'
import { clients } from '../resolve.js'

/** What a fault has resolved: nodes that it aims at first, and other sides, each with the sides that it is apart from. */
export class Aim {
  readonly #first: string[] = []
  readonly #others: (readonly string[])[] = []

  resolved(names: readonly string[], apart: readonly string[]): void {
    const nodes = names.filter((name) => name !== clients)
    if (apart.length === 0) this.#first.push(...nodes)
    else if (nodes.length > 0) this.#others.push(nodes)
  }

  /** Nodes that are not well under the fault: its targets; with several sides, those of all sides but the largest. */
  get hit(): readonly string[] {
    if (this.#others.length === 0) return [...new Set(this.#first)]
    const sides = [this.#first, ...this.#others]
    const largest = sides.reduce((best, side) => (side.length > best.length ? side : best))
    return [...new Set(sides.filter((side) => side !== largest).flat())]
  }
}

/** The targets of faults in place, by fault. */
export class TargetsInPlace {
  readonly #hit = new Map<symbol, readonly string[]>()

  add(fault: symbol, hit: readonly string[]): void {
    this.#hit.set(fault, hit)
  }

  remove(fault: symbol): void {
    this.#hit.delete(fault)
  }

  get nodes(): readonly string[] {
    return [...new Set([...this.#hit.values()].flat())]
  }
}

/** What is kept free of a fault that is about to go in. */
export interface Bounds {
  readonly nodes: readonly string[]
  /** Targets of other faults. */
  readonly taken: readonly string[]
  readonly keepQuorum: boolean
  /** Only one of the nodes that it hits is gone at any time. */
  readonly oneByOne: boolean
}

/** Throws FaultError `envelope` when a fault that hits these nodes would leave the envelope of a random schedule. */
export function requireWithin(hit: readonly string[], { nodes, taken, keepQuorum, oneByOne }: Bounds): void {
  requireFree(hit, taken)
  const gone = oneByOne ? hit.slice(0, 1) : hit
  const well = nodes.length - new Set([...gone, ...taken]).size
  const majority = Math.floor(nodes.length / 2) + 1
  if (keepQuorum && well < majority) {
    throw new FaultError(
      'envelope',
      `with ${hit.join(', ')} gone, ${well} of ${nodes.length} nodes would be well, less than a majority`,
    )
  }
}

/** Throws FaultError `envelope` when one of the nodes is a target of another fault. */
export function requireFree(nodes: readonly string[], taken: readonly string[]): void {
  const twice = nodes.find((node) => taken.includes(node))
  if (twice !== undefined) throw new FaultError('envelope', `${twice} is the target of another fault`)
}
