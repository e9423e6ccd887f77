import { never, none } from '../part.js'
import type { Problem } from './problem.js'
import { Ring } from './ring.js'
import { timelineOf, type Timeline } from './timeline.js'

/** Bytes for each operation, value, event and kind of the tables of a search that are there from the start. */
const bytesPerOperation = 33
const bytesPerOperationOfValue = 16
const bytesPerValue = 20
const bytesPerEvent = 5
const bytesPerKind = 30
/** Measured on V8: an element of a short list in a map. */
const bytesPerUnknown = 200

/** What a search keeps of every operation: who comes before whom, and who leaves and needs a value. */
export interface Tables extends Timeline {
  /** Completed operations that are not linearized, by invocation and by return. */
  readonly calls: Ring
  readonly returns: Ring
  /** By value, with heads `count + value`: those of them that leave it, by invocation, and that need it, by return. */
  readonly givers: Ring | null
  readonly needers: Ring | null
  /** By value: how many completed operations that are not linearized need it. */
  readonly stillNeeded: Int32Array
}

/** The memory that the tables for a problem take, in bytes. */
export function bytesForTables({ count, complete, events, behaviour }: Problem): number {
  const { value, kinds } = behaviour
  let unknown = 0
  for (const end of complete) if (end === never) unknown += 1
  const byValue = value === null ? 0 : count * bytesPerOperationOfValue + value.values * bytesPerValue
  return (
    count * bytesPerOperation +
    byValue +
    events * bytesPerEvent +
    kinds * bytesPerKind +
    unknown * bytesPerUnknown
  )
}

/** The tables before anything is linearized. */
export function tablesOf(problem: Problem): Tables {
  const { count, complete, kind, behaviour } = problem
  const { value } = behaviour
  const timeline = timelineOf(problem)
  const calls = new Ring(count, 1)
  const returns = new Ring(count, 1)
  const givers = value && new Ring(count, value.values)
  const needers = value && new Ring(count, value.values)
  const stillNeeded = new Int32Array(value?.values ?? 0)
  for (const event of timeline.events) {
    if (event > 0) {
      const operation = event - 1
      if (complete[operation] === never) continue
      calls.append(count, operation)
      const gives = value?.gives[kind[operation] as number] ?? none
      if (gives !== none) givers?.append(count + gives, operation)
    } else if (event < 0) {
      const operation = -event - 1
      returns.append(count, operation)
      const needs = value?.needs[kind[operation] as number] ?? none
      if (needs === none) continue
      needers?.append(count + needs, operation)
      stillNeeded[needs] = (stillNeeded[needs] as number) + 1
    }
  }
  return { ...timeline, calls, returns, givers, needers, stillNeeded }
}
