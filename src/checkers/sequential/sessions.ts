import type { Call } from './calls.js'

/** Calls by index, in the order that their process issued them. */
export interface Sessions {
  readonly count: number
  /** By call. */
  readonly session: Int32Array
  /** By call: its place in its session. */
  readonly place: Int32Array
  readonly members: readonly (readonly number[])[]
  /** By call: a call of another session that comes before it; -1 for none. */
  readonly after: Int32Array
}

/**
 * The sessions of a history: what a process did, in its order. A call of unknown outcome is a session of its own that
 * follows what its process did before: what the process did later may well come first.
 *
 * Without `sessionOrder` every call is a session of its own and nothing need follow anything.
 */
export function sessionsOf(calls: readonly Call[], { sessionOrder }: { sessionOrder: boolean }): Sessions {
  const session = new Int32Array(calls.length)
  const place = new Int32Array(calls.length)
  const after = new Int32Array(calls.length).fill(-1)
  const members: number[][] = []
  const byProcess = new Map<string | number, number>()
  calls.forEach(({ operation, isCertain }, index) => {
    const known = sessionOrder ? byProcess.get(operation.process_id) : undefined
    if (known !== undefined && isCertain) {
      const its = members[known] as number[]
      session[index] = known
      place[index] = its.push(index) - 1
      return
    }
    session[index] = members.push([index]) - 1
    if (known !== undefined) after[index] = members[known]?.at(-1) ?? -1
    if (isCertain) byProcess.set(operation.process_id, session[index])
  })
  return { count: members.length, session, place, members, after }
}
