import { z } from 'zod'
import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { AnomalyList, allOf } from '../anomaly-list.js'
import { checkedOptions } from '../checked-options.js'
import type { Checker } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { PartValueIds } from '../linearizability/encode-values.js'
import { misfitOf } from '../picker.js'
import { shown, tell } from '../words.js'

export interface UniqueIdsOptions {
  /** The type of the operations that answer with an id. Default `generate`. */
  readonly type?: string
  /** `history` (default): no two ids at all are equal. `key`: only the ids of one key must differ. */
  readonly within?: 'history' | 'key'
}

const optionsSchema = z.strictObject({
  type: z.string().min(1).optional(),
  within: z.enum(['history', 'key']).optional(),
})

const name = 'unique-ids'

/**
 * No two acknowledged ids are equal. An id is the output of an operation, or its field `id` when that is an object.
 * Operations of unknown outcome may have taken an id that nobody saw, and say nothing.
 * Throws DeclarationError when the options are wrong.
 */
export function uniqueIds(options: UniqueIdsOptions = {}): Checker<unknown> {
  const { type = 'generate', within = 'history' } = checkedOptions(options, {
    checker: name,
    factory: 'uniqueIds',
    schema: optionsSchema,
    example: "uniqueIds({ type: 'next-order-number' })",
  })
  return defineChecker({
    name,
    pattern: 2,
    options,
    needs: ['complete_ts', 'op_type'],
    scope: [
      'ids that an operation of unknown outcome took and nobody saw',
      'ids of earlier runs, of which the history tells nothing',
      'order and gaps: later ids may be smaller',
      ...(within === 'key' ? ['ids that are equal under different keys'] : []),
    ],
    // Ids must differ whatever else is claimed of the system, which needs no model.
    misfit: (model, categories) =>
      categories.includes('safety') ? null : misfitOf(name, { model, categories }),
    judge: ({ operations }) => judge(operations, { type, within }),
  })
}

function judge(operations: readonly Operation[], { type, within }: Required<UniqueIdsOptions>): Judgement {
  const idsOf = new Map<Operation['key'], Ids>()
  const duplicates = new AnomalyList()
  const outcomes = { ok: 0, failed: 0, unknown: 0 }
  let withoutId = 0
  for (const operation of operations) {
    if (operation.op_type !== type) continue
    const outcome = outcomeOf(operation)
    outcomes[outcome] += 1
    if (outcome !== 'ok') continue
    const id = idIn(operation.output)
    if (id === null) {
      withoutId += 1
      continue
    }
    const key = within === 'key' ? operation.key : null
    let ids = idsOf.get(key)
    if (ids === undefined) {
      ids = new Ids()
      idsOf.set(key, ids)
    }
    ids.add(id, operation)
  }
  const range = { min: Infinity, max: -Infinity }
  let distinct = 0
  for (const ids of idsOf.values()) {
    distinct += ids.distinct
    range.min = Math.min(range.min, ids.min)
    range.max = Math.max(range.max, ids.max)
    for (const { id, first, others } of ids.duplicates()) {
      duplicates.add(() => anomalyOf(id, { first, others }))
    }
  }
  const attempted = outcomes.ok + outcomes.failed + outcomes.unknown
  const acknowledged = outcomes.ok - withoutId
  return {
    consumed: attempted,
    ...allOf([duplicates]),
    undecided:
      attempted > 0 && acknowledged === 0
        ? `none of ${attempted} operations ${JSON.stringify(type)} was answered with an id`
        : null,
    evidence: {
      ...{ attempted, acknowledged, withoutId, unknown: outcomes.unknown, distinct },
      duplicated: duplicates.count,
      ...(range.min <= range.max ? range : {}),
    },
  }
}

/** Operations that a sentence names besides the first. */
const named = 9

interface Duplicate {
  readonly id: Json
  readonly first: Operation
  readonly others: Operation[]
}

class Ids {
  distinct = 0
  /** Of the ids that are numbers. */
  min = Infinity
  max = -Infinity
  readonly #ids = new PartValueIds()
  readonly #first: Operation[] = []
  readonly #duplicates = new Map<number, Duplicate>()

  add(id: Json, operation: Operation): void {
    if (typeof id === 'number') {
      this.min = Math.min(this.min, id)
      this.max = Math.max(this.max, id)
    }
    const place = this.#ids.of(id)
    const first = this.#first[place]
    if (first === undefined) {
      this.#first.push(operation)
      this.distinct += 1
      return
    }
    const known = this.#duplicates.get(place)
    if (known === undefined) this.#duplicates.set(place, { id, first, others: [operation] })
    else known.others.push(operation)
  }

  duplicates(): Iterable<Duplicate> {
    return this.#duplicates.values()
  }
}

function idIn(output: Json): Json {
  if (typeof output !== 'object' || output === null || Array.isArray(output)) return output
  return output['id'] ?? output
}

function anomalyOf(id: Json, { first, others }: Omit<Duplicate, 'id'>) {
  const told = others.slice(0, named)
  const more = others.length > told.length ? ` and ${others.length - told.length} more` : ''
  return {
    type: 'duplicate-id',
    explanation: `${[first, ...told].map(tell).join(' and ')}${more} were all given the id ${shown(id)}.`,
    operations: [first, ...told]
      .toSorted((one, other) => one.invoke_ts - other.invoke_ts)
      .map(({ op_id: operation }) => operation),
  }
}
