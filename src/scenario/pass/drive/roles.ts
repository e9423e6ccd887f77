import type { SystemNode } from '../../../systems/system.js'
import type { RoleAnswer, System } from '../../spec.js'

/** The roles of a system as functions that answer with node names; an empty answer means nobody has the role now. */
export function rolesOf(
  system: System,
  nodes: readonly SystemNode[],
): Readonly<Record<string, () => Promise<readonly string[]>>> {
  return Object.fromEntries(
    Object.entries(system.spec.roles ?? {}).map(([role, find]) => [
      role,
      async () => namesIn(await find(nodes)),
    ]),
  )
}

function namesIn(answer: RoleAnswer): readonly string[] {
  if (answer === null || answer === undefined) return []
  const members = Array.isArray(answer) ? answer : [answer]
  return members.map((member: SystemNode | string) => (typeof member === 'string' ? member : member.name))
}
