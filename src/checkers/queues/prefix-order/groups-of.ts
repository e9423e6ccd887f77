import type { LogOfKey } from '../../logs/log-history.js'
import { accountsOf, returned } from '../accounts.js'
import type { Queue } from '../queue-traffic.js'
import type { ValueKey } from '../value-key.js'
import { Groups, type Exit, type Group, type Per } from './transit.js'

interface Rules {
  readonly initial: readonly ValueKey[]
  readonly per: Per
}

/** The elements of one key's queue that came out. */
export function groupsOfQueue(queue: Queue, { initial, per }: Rules): readonly Group[] {
  const groups = new Groups(per)
  for (const { puts, deliveries, initial: copies } of accountsOf(queue, initial).values()) {
    const exits = deliveries.map(({ operation }): Exit => ({
      from: operation.invoke_ts,
      by: returned(operation),
      out: operation,
    }))
    groups.add(
      puts.map(({ operation }) => operation),
      exits,
      copies > 0,
    )
  }
  return groups.all
}

/** The entries of one key's log whose offset is known: by the answer of the append, else by reads of the value. */
export function groupsOfLog(log: LogOfKey, { initial, per }: Rules): readonly Group[] {
  const groups = new Groups(per)
  const claimed = new Set<number>()
  const silent = new Map<ValueKey, LogOfKey['appends']>()
  for (const append of log.appends) {
    if (append.offset === null) {
      const others = silent.get(append.value)
      if (others === undefined) silent.set(append.value, [append])
      else others.push(append)
      continue
    }
    claimed.add(append.offset)
    groups.add([append.operation], [{ from: append.offset, by: append.offset, out: null }], false)
  }
  if (silent.size === 0) return groups.all
  const shownAt = new Map<ValueKey, Map<number, Exit>>()
  for (const { operation, offsets, values } of log.reads) {
    for (const [i, value] of (values ?? []).entries()) {
      const offset = offsets[i] as number
      if (claimed.has(offset) || !silent.has(value)) continue
      const exit = { from: offset, by: offset, out: operation }
      const known = shownAt.get(value)
      if (known === undefined) shownAt.set(value, new Map([[offset, exit]]))
      else if (!known.has(offset)) known.set(offset, exit)
    }
  }
  const atFirst = new Set(initial)
  for (const [value, appends] of silent) {
    groups.add(
      appends.map(({ operation }) => operation),
      [...(shownAt.get(value)?.values() ?? [])],
      atFirst.has(value),
    )
  }
  return groups.all
}
