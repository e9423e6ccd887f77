import { FaultError } from '../../errors.js'
import type { Link } from '../../systems/capabilities.js'
import type { FaultContext, Target } from '../fault.js'

/** Words that mean whatever the other side of a fault leaves over, so the other side is resolved first. */
const relative = new Set(['others', 'all', 'random', 'majority', 'minority'])

/** Both sides of a fault, resolved so that they have no node in common. Throws FaultError when they have. */
export async function resolveSides(
  context: FaultContext,
  fault: string,
  [first, second]: readonly [Target, Target],
): Promise<readonly [readonly string[], readonly string[]]> {
  const secondFirst = isRelative(first) && !isRelative(second)
  const [one, other] = secondFirst ? [second, first] : [first, second]
  const oneNodes = await context.resolve(one)
  // The rest of a drawn majority is its minority, and the other way round.
  const otherNodes = await context.resolve(isRelative(one) && isRelative(other) ? 'others' : other, oneNodes)
  requireDisjoint(fault, [oneNodes, otherNodes])
  return secondFirst ? [otherNodes, oneNodes] : [oneNodes, otherNodes]
}

function isRelative(target: Target): boolean {
  return typeof target === 'string' && relative.has(target)
}

/** Throws FaultError when a side is empty or a node is on two sides. */
export function requireDisjoint(fault: string, sides: readonly (readonly string[])[]): void {
  const seen = new Set<string>()
  for (const side of sides) {
    if (side.length === 0) {
      throw new FaultError('target', `${fault}: one side has no node (${describeSides(sides)})`, {
        hint: 'each side needs a node; the system may have too few',
      })
    }
    for (const node of side) {
      if (seen.has(node)) {
        throw new FaultError('target', `${fault}: ${node} is on two sides (${describeSides(sides)})`, {
          hint: "write 'others' for the nodes that are not on the other side",
        })
      }
      seen.add(node)
    }
  }
}

/** `n1 | n2, n3` */
export function describeSides(sides: readonly (readonly string[])[]): string {
  return sides.map((side) => (side.length === 0 ? '(none)' : side.join(', '))).join(' | ')
}

/** All ordered pairs from the one side to the other. */
export function linksFrom(from: readonly string[], to: readonly string[]): readonly Link[] {
  return from.flatMap((source) => to.map((destination) => ({ from: source, to: destination })))
}

/**
 * The links that the system lets a rule be put on. Throws FaultError when there is none: a cut that nothing can carry
 * out is a mistake in the declaration, not a fault that failed to land.
 */
export function offeredLinks(context: FaultContext, fault: string, wanted: readonly Link[]): readonly Link[] {
  const offered = wanted.filter(({ from, to }) =>
    context.network.links.some((link) => link.from === from && link.to === to),
  )
  if (offered.length > 0) return offered
  const missing = wanted.map(({ from, to }) => `${from}->${to}`).join(', ')
  const has = context.network.links.map(({ from, to }) => `${from}->${to}`).join(', ')
  throw new FaultError('links', `${fault}: the system declares none of the links ${missing}`, {
    hint: `it has ${has || 'no links'}: declare the links in its system, or aim at those`,
  })
}
