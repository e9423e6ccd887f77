import { outcomeCode, type Columns } from '../../../../history/columns.js'
import type { Outcome } from '../../../../history/operation.js'
import { outcomeAt } from './bins.js'

const processesTold = 6
/** With more processes than that, also those share a lane that ended for another reason, such as a lost connection. */
const processesApart = 48

/** Processes that followed each other, as one row of a picture: a process is retired after an unknown outcome. */
export interface Lane extends Readonly<Record<Outcome, number>> {
  /** The first ones in order of time. */
  readonly processes: readonly (string | number)[]
  /** All of them. */
  readonly count: number
}

export interface Lanes {
  readonly lanes: readonly Lane[]
  /** The lane of each process, by the process's id in the columns. */
  readonly laneOf: Int32Array
}

/**
 * Puts a process that begins after another one was retired into its lane, as its client does; the lane that is free for
 * longest goes on.
 */
export function lanesOf(columns: Columns): Lanes {
  const processes = columns.processes.length
  const first = new Float64Array(processes).fill(Infinity)
  const last = new Float64Array(processes)
  for (let index = 0; index < columns.count; index += 1) {
    const process = columns.process[index]!
    const invoked = columns.invokedAt(index)
    first[process] = Math.min(first[process]!, invoked)
    last[process] = Math.max(last[process]!, columns.completedAt(index) ?? invoked)
  }
  const retired = retiredProcesses(columns)
  const order = Array.from({ length: processes }, (_, process) => process).sort(
    (one, other) => first[one]! - first[other]!,
  )
  const laneOf = new Int32Array(processes)
  const lanes: { processes: (string | number)[]; count: number; free: number }[] = []
  for (const process of order) {
    let chosen = -1
    for (let lane = 0; lane < lanes.length; lane += 1) {
      const { free } = lanes[lane]!
      if (free < first[process]! && (chosen === -1 || free < lanes[chosen]!.free)) chosen = lane
    }
    if (chosen === -1) chosen = lanes.push({ processes: [], count: 0, free: 0 }) - 1
    const lane = lanes[chosen]!
    lane.count += 1
    if (lane.processes.length < processesTold) lane.processes.push(columns.processes[process]!)
    lane.free = retired[process] === 1 || processes > processesApart ? last[process]! : Infinity
    laneOf[process] = chosen
  }
  const counts = lanes.map(() => ({ ok: 0, failed: 0, unknown: 0 }))
  for (let index = 0; index < columns.count; index += 1) {
    counts[laneOf[columns.process[index]!]!]![outcomeAt(columns, index)] += 1
  }
  return {
    lanes: lanes.map(({ processes: told, count }, lane) => ({ processes: told, count, ...counts[lane]! })),
    laneOf,
  }
}

/** 1 for each process that had an operation of unknown outcome. */
function retiredProcesses(columns: Columns): Uint8Array {
  const retired = new Uint8Array(columns.processes.length)
  for (let index = 0; index < columns.count; index += 1) {
    if (columns.outcome[index] === outcomeCode.unknown) retired[columns.process[index]!] = 1
  }
  return retired
}
