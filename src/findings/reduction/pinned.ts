import type { Nemesis } from '../../nemesis/fault.js'
import type { ReproducedFault } from './reproducer.js'

/** The fault with nodes in place of the targets that were drawn, wherever its options name them. */
export function pinned(nemesis: Nemesis, drawn: ReproducedFault['drawn']): Nemesis {
  if (drawn.length === 0) return nemesis
  const nodesOf = new Map(drawn.map(({ target, nodes }) => [JSON.stringify(target), nodes]))
  return { ...nemesis, options: replaced(nemesis.options, nodesOf) }
}

function replaced(value: unknown, nodesOf: ReadonlyMap<string, readonly string[]>): unknown {
  if (typeof value === 'function' || value === undefined) return value
  const nodes = isTarget(value) ? nodesOf.get(JSON.stringify(value)) : undefined
  if (nodes !== undefined) return nodes.length === 1 ? nodes[0] : [...nodes]
  if (Array.isArray(value)) return value.map((item) => replaced(item, nodesOf))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaced(item, nodesOf)]))
}

function isTarget(value: unknown): boolean {
  return (
    typeof value === 'string' || (Array.isArray(value) && value.every((item) => typeof item === 'string'))
  )
}
