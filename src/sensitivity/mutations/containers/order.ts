import type { Operation } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import type { Model } from '../../../models/model.js'
import type { Element } from './elements.js'

/** Whether the first element surely had to leave before the given take could take the second. */
export type Before = (first: Element, second: Element, take: Operation) => boolean

/** The order in which the containers of a model must be left; null when it is none that is known. */
export function orderOf(model: Model | null): Before | null {
  return (model === null ? undefined : orders[model.name]) ?? null
}

const orders: Readonly<Record<string, Before>> = {
  queue: (first, second) => end(first.put) < second.put.invoke_ts,
  stack: (first, second, take) => end(second.put) < first.put.invoke_ts && end(first.put) < take.invoke_ts,
  'priority-queue': (first, second, take) => {
    const [higher, lower] = [priorityOf(first.value), priorityOf(second.value)]
    return higher !== null && lower !== null && higher > lower && end(first.put) < take.invoke_ts
  },
}

function priorityOf(element: Json): number | null {
  if (typeof element === 'number') return element
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return null
  return typeof element['priority'] === 'number' ? element['priority'] : null
}

/** When an operation had returned. */
export function end({ complete_ts: completed }: Operation): number {
  return completed ?? Infinity
}
