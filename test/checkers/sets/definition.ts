import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'

/** Tells elements apart: equal JSON is the same element. */
const textOf = (value: Json) => JSON.stringify(value)

const isRead = ({ op_type: type }: Operation) => type === 'read' || type === 'contains'

/** The elements that a read answered with, or that a lookup found, as text. */
export const seenBy = ({ op_type: type, input, output }: Operation): string[] =>
  type === 'read' ? (output as Json[]).map(textOf) : output === true ? [textOf(input)] : []

/** What was done with one element of one key, reads of the whole set included. */
export interface OfElement {
  readonly element: string
  readonly adds: readonly Operation[]
  readonly removes: readonly Operation[]
  readonly reads: readonly Operation[]
}

/** The operations that may have happened, by key and element. */
export function byElement(operations: readonly Operation[]): OfElement[] {
  const may = operations.filter((operation) => outcomeOf(operation) !== 'failed')
  return [...new Set(operations.map(({ key }) => key))].flatMap((key) => {
    const of = may.filter((operation) => operation.key === key)
    const reads = of.filter((one) => isRead(one) && outcomeOf(one) === 'ok')
    const changes = of.filter((one) => !isRead(one))
    const elements = new Set([...changes.map(({ input }) => textOf(input)), ...reads.flatMap(seenBy)])
    return [...elements].map((element) => {
      const touching = changes.filter(({ input }) => textOf(input) === element)
      return {
        element,
        adds: touching.filter(({ op_type: type }) => type === 'add'),
        removes: touching.filter(({ op_type: type }) => type === 'remove'),
        reads: reads.filter(({ op_type: type, input }) => type === 'read' || textOf(input) === element),
      }
    })
  })
}

/**
 * Whether some order of the operations, each between its invocation and its return, makes every read see the element
 * or not as it did. Tries them all; operations without an answer may be left out.
 */
export function isExplained({ element, adds, removes, reads }: OfElement): boolean {
  const place = (left: readonly Operation[], isThere: boolean): boolean => {
    if (left.every(({ complete_ts: end }) => end === null)) return true
    return left.some((next) => {
      if (left.some(({ complete_ts: end }) => end !== null && end < next.invoke_ts)) return false
      if (isRead(next) && seenBy(next).includes(element) !== isThere) return false
      const after = isRead(next) ? isThere : next.op_type === 'add'
      return place(
        left.filter((other) => other !== next),
        after,
      )
    })
  }
  return place([...adds, ...removes, ...reads], false)
}

/** Whether some order of all operations of each key explains its reads as a whole. */
export function isLinearizable(operations: readonly Operation[]): boolean {
  const keys = [...new Set(operations.map(({ key }) => key))]
  const place = (left: readonly Operation[], state: ReadonlySet<string>): boolean => {
    if (left.every(({ complete_ts: end }) => end === null)) return true
    return left.some((next) => {
      if (left.some(({ complete_ts: end }) => end !== null && end < next.invoke_ts)) return false
      const rest = left.filter((other) => other !== next)
      if (next.op_type === 'read') {
        const seen = seenBy(next).toSorted()
        return textOf(seen) === textOf([...state].toSorted()) && place(rest, state)
      }
      if (next.op_type === 'contains') {
        return state.has(textOf(next.input)) === next.output && place(rest, state)
      }
      const after = new Set(state)
      if (next.op_type === 'add') after.add(textOf(next.input))
      else after.delete(textOf(next.input))
      return place(rest, after)
    })
  }
  return keys.every((key) =>
    place(
      operations.filter(
        (one) => one.key === key && outcomeOf(one) !== 'failed' && (!isRead(one) || outcomeOf(one) === 'ok'),
      ),
      new Set(),
    ),
  )
}
