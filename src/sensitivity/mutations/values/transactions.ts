import { outcomeOf, type Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { canonical } from '../../../models/canonical.js'
import type { Model } from '../../../models/model.js'
import type { Access } from './accesses.js'

const models: ReadonlySet<string> = new Set(['multi-register', 'rw-register'])
const isRead: ReadonlySet<Json | undefined> = new Set(['r', 'read'])

/**
 * What transactions have to do with each key: the value that a transaction met before it wrote itself, and the last one
 * that it wrote. Null when the model is of no transactions on registers.
 */
export function transactionAccesses(
  operations: readonly Operation[],
  model: Model,
): readonly Access[] | null {
  if (!models.has(model.name)) return null
  return operations
    .filter((operation) => model.operations.includes(operation.op_type))
    .flatMap((operation) => accessesOf(operation, model))
}

function accessesOf(operation: Operation, { semantics }: Model): Access[] {
  const outcome = outcomeOf(operation)
  const isKnown = outcome === 'ok' && operation.output !== null
  const steps = isKnown ? operation.output : operation.input
  if (outcome === 'failed' || !Array.isArray(steps)) return []
  const ok = outcome === 'ok'
  const met = new Map<string, { value: string; place: number }>()
  const written = new Map<string, string[]>()
  for (const [place, step] of steps.entries()) {
    if (!Array.isArray(step)) continue
    const [does, key = null, value = null] = step
    const object = canonical(typeof key === 'number' ? String(key) : key)
    if (!isRead.has(does)) written.set(object, [...(written.get(object) ?? []), canonical(value)])
    else if (isKnown && !written.has(object) && !met.has(object)) {
      if (value !== null || semantics.nullRead === 'absent')
        met.set(object, { value: canonical(value), place })
    }
  }
  return [...new Set([...met.keys(), ...written.keys()])].flatMap((object): Access[] => {
    const values = written.get(object) ?? []
    const read = met.get(object)
    const overwritten = values.slice(0, -1).map((writes) => ({ operation, object, writes, ok: false }))
    const access = { operation, object, writes: values.at(-1), ok }
    if (read === undefined) return [...overwritten, access]
    const meeting = (value: Json) => ({ ...operation, output: withStep(steps, read.place, value) })
    return [...overwritten, { ...access, reads: read.value, meeting }]
  })
}

function withStep(steps: readonly Json[], place: number, value: Json): Json {
  return steps.map((step, index) =>
    index === place && Array.isArray(step) ? [...step.slice(0, 2), value] : step,
  )
}
