import type { Decision, Part, Violation } from '../../part.js'

/** The decision that a part is invalid: sorts the operations by invocation and names each once. */
export function violationOf(
  part: Part,
  { type, operations, explain }: Violation,
): Decision & { valid: false } {
  const inOrder = [...new Set(operations)].sort(
    (x, y) => (part.invoke[x] as number) - (part.invoke[y] as number),
  )
  return { valid: false, violation: { type, operations: inOrder, explain } }
}
