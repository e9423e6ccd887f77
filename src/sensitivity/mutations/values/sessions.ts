import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { canonical } from '../../../models/canonical.js'
import type { Model } from '../../../models/model.js'
import type { Access } from './accesses.js'

const readTypes: ReadonlySet<string> = new Set(['read', 'get'])

/** The accesses of versioned registers, whose reads may answer `{ value, version }`. Null for other models. */
export function sessionAccesses(operations: readonly Operation[], model: Model): readonly Access[] | null {
  if (model.name !== 'session') return null
  const known = operations.filter((operation) => model.operations.includes(operation.op_type))
  const answers = new Map<string, Json>()
  for (const { key, op_type: type, output } of known) {
    if (readTypes.has(type) && isVersioned(output))
      answers.set(canonical([key, output['value'] ?? null]), output)
  }
  return known.flatMap((operation): Access[] => {
    const outcome = outcomeOf(operation)
    const { key, input, output } = operation
    const access = { operation, object: canonical(key), ok: outcome === 'ok' }
    if (outcome === 'failed') return []
    if (!readTypes.has(operation.op_type)) return [{ ...access, writes: canonical(input) }]
    if (!access.ok) return []
    if (!isVersioned(output)) {
      if (output === null && model.semantics.nullRead === 'unknown') return []
      return [{ ...access, reads: canonical(output), meeting: (value) => ({ ...operation, output: value }) }]
    }
    if (!Object.hasOwn(output, 'value')) return []
    const meeting = (value: Json) => {
      const answer = answers.get(canonical([key, value]))
      return answer === undefined ? null : { ...operation, output: answer }
    }
    return [{ ...access, reads: canonical(output['value'] ?? null), meeting }]
  })
}

function isVersioned(output: Json): output is Record<string, Json> {
  return typeof output === 'object' && output !== null && !Array.isArray(output)
}
