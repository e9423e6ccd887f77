import type { ModelOperation } from '../../models/model.js'
import { PartValueIds } from './encode-values.js'

/** More than there are ids, and such that a pair of them is exact as a number. */
const most = 2 ** 26
const outcomes = { ok: 0, failed: 1, unknown: 2 } as const

/**
 * Gives operations ids, counted from 0, equal ones the same: two that a model cannot tell apart in any state.
 *
 * Part by part as pairs of numbers, since the text of a whole operation costs several times as much.
 */
export class OperationIds {
  readonly #values = new PartValueIds()
  readonly #pairs = new Map<number, number>()
  readonly #operations = new Map<number, number>()
  #key: ModelOperation['key'] | undefined
  #process: ModelOperation['process']
  #who = 0

  of({ type, key, input, output, outcome, process }: ModelOperation): number {
    const values = this.#values
    // Most often all operations are on one key, and of nobody.
    if (key !== this.#key || process !== this.#process) {
      this.#who = this.#pair(values.of(key), values.of(process ?? null))
      this.#key = key
      this.#process = process
    }
    const what = this.#pair(3 * values.of(type) + outcomes[outcome], this.#who)
    const seen = this.#pair(values.of(input), values.of(output))
    return idIn(this.#operations, what * most + seen)
  }

  #pair(first: number, second: number): number {
    return idIn(this.#pairs, first * most + second)
  }
}

function idIn(ids: Map<number, number>, name: number): number {
  const known = ids.get(name)
  if (known !== undefined) return known
  const id = ids.size
  ids.set(name, id)
  return id
}
