import type { Part } from '../part.js'

/** Operations of the part in order of invocation, each once. */
export function inOrder({ invoke }: Part, operations: Iterable<number>): number[] {
  return [...new Set(operations)].sort((a, b) => invoke[a]! - invoke[b]!)
}
