import { field, fieldsIn } from '../markdown/fields.js'
import type { Part } from '../markdown/parts.js'
import { positionOf } from '../markdown/read.js'
import type { ModelBlock } from '../plan.js'

/** Block 7.M of a serious scenario. */
export function parseModelBlock(part: Part | undefined): ModelBlock | null {
  if (part === undefined) return null
  const fields = fieldsIn(part.blocks)
  return {
    at: positionOf(part.heading),
    model: field(fields, 'model', 'abstract model'),
    history: field(fields, 'operation history', 'history'),
    checker: field(fields, 'checker', 'checkers'),
    nemesis: field(fields, 'nemesis', 'landing', 'faults'),
    ambiguous: field(fields, 'ambiguous', 'handling of ambiguous', 'unknown outcomes'),
    reduction: field(fields, 'reduction'),
  }
}
