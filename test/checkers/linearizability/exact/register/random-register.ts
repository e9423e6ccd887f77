import { outcomeOf, type Operation } from '../../../../../src/history/operation.js'
import type { Json } from '../../../../../src/json.js'

/** A pseudo-random number below 1 (xorshift; Marsaglia, 2003); the same sequence for the same seed. */
export type Random = () => number

export function randomFrom(seed: number): Random {
  let state = seed >>> 0 || 1
  return () => {
    state ^= state << 13
    state >>>= 0
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state / 2 ** 32
  }
}

export interface RegisterShape {
  readonly operations: number
  readonly clients: number
  readonly unknown: number
  /** The share of reads, CAS and, for the rest, writes. */
  readonly reads: number
  readonly cas: number
  /** Values come from so many; null for values that are all distinct. */
  readonly values: number | null
  /** How often a result is replaced by one that the register did not give. */
  readonly spoilt: number
  readonly failed: number
}

type Draft = { -readonly [field in keyof Operation]: Operation[field] }

/**
 * A small history of a register that starts at 0: clients invoke, operations take effect, some answers are lost, of
 * which some take effect later, and some results are spoilt afterwards.
 */
export function randomRegisterHistory(random: Random, shape: RegisterShape): Operation[] {
  const below = (limit: number) => Math.floor(random() * limit)
  const drafts: Draft[] = []
  const open: (Draft | null)[] = Array.from({ length: shape.clients }, () => null)
  const lost: Draft[] = []
  let register: Json = 0
  let next = 1
  let time = 0
  const valueToWrite = () => (shape.values === null ? next++ : below(shape.values))

  const invoke = (client: number): Draft => {
    const kind = random()
    const isRead = kind < shape.reads
    const isCas = !isRead && kind < shape.reads + shape.cas
    const expected = random() < 0.7 ? register : below(shape.values ?? next)
    return {
      op_id: drafts.length,
      process_id: client,
      invoke_ts: time++,
      complete_ts: null,
      op_type: isRead ? 'read' : isCas ? 'cas' : 'write',
      key: null,
      input: isRead ? null : isCas ? [expected, valueToWrite()] : valueToWrite(),
      output: null,
      error: 'timeout',
      timeout_marker: true,
      node_seen: null,
      fault_epoch: null,
    }
  }
  const effective = new Set<Draft>()
  const takeEffect = (draft: Draft) => {
    effective.add(draft)
    if (draft.op_type === 'read') draft.output = register
    if (draft.op_type === 'write') register = draft.input
    if (draft.op_type === 'cas') {
      const [expected, fresh] = draft.input as [Json, Json]
      draft.output = register === expected
      if (draft.output) register = fresh
    }
  }
  const complete = (draft: Draft, error: string | null) => {
    draft.complete_ts = time++
    draft.error = error
    draft.timeout_marker = false
  }

  while (drafts.length < shape.operations || open.some((draft) => draft !== null)) {
    if (lost.length > 0 && random() < 0.2) takeEffect(lost.splice(below(lost.length), 1)[0] as Draft)
    const client = below(shape.clients)
    const draft = open[client] ?? null
    if (draft === null) {
      if (drafts.length === shape.operations) continue
      const fresh = invoke(client)
      drafts.push(fresh)
      open[client] = fresh
      if (random() < 0.3) takeEffect(fresh)
    } else if (!effective.has(draft) && random() < shape.failed) {
      complete(draft, 'refused')
      open[client] = null
    } else if (random() < (effective.has(draft) ? shape.unknown / 2 : shape.unknown)) {
      if (!effective.has(draft) && random() < 0.6) lost.push(draft)
      open[client] = null
    } else if (!effective.has(draft)) {
      takeEffect(draft)
    } else {
      complete(draft, null)
      open[client] = null
    }
  }
  const spoils = random() < shape.spoilt ? 1 + below(2) : 0
  for (let count = 0; count < spoils; count += 1) {
    const answered = drafts.filter((draft) => outcomeOf(draft) === 'ok' && draft.op_type !== 'write')
    const draft = answered[below(answered.length)]
    if (draft?.op_type === 'cas') draft.output = random() < 0.5
    if (draft?.op_type === 'read') draft.output = random() < 0.05 ? 99 : below(shape.values ?? next)
  }
  for (const draft of drafts) if (draft.error !== null) draft.output = null
  return drafts
}
