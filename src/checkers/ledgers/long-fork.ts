import { z } from 'zod'
import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { AnomalyList, allOf } from '../anomaly-list.js'
import { checkedOptions } from '../checked-options.js'
import type { Anomaly, Checker } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { tell } from '../words.js'

const name = 'long-fork'

export interface LongForkOptions {
  /** How many keys a read of a group has; reads of other sizes are left out. Default: reads of any two or more. */
  readonly groupSize?: number
}

const schema = z.strictObject({ groupSize: z.int().min(2).optional() })

/**
 * No two reads see two independent writes in opposite orders: one shows the first and not the second, the other the
 * second and not the first. Snapshot isolation forbids it, parallel snapshot isolation does not.
 *
 * A read is an answered operation that answers with micro-operations `[["r", key, value], …]`, or with a value for each
 * key. Null, and the empty list, is a key not yet written. Keys are never emptied again: one that the history deletes or
 * writes null to is left out. What a transaction reads of its own writes is left out too. Reads of the same keys are
 * compared with each other: all is well if they can be put in a row in which each shows all that the one before shows.
 * O(n log n). Throws DeclarationError when the options are wrong.
 */
export function longFork(options: LongForkOptions = {}): Checker {
  const { groupSize } = checkedOptions(options, {
    checker: name,
    factory: 'longFork',
    schema,
    example: 'longFork({ groupSize: 3 })',
  })
  return defineChecker({
    name,
    pattern: 1,
    options,
    needs: ['op_type', 'output'],
    scope: [
      'forks between reads of different sets of keys',
      'the order of later writes to a key that has been written before',
      'snapshots that are old, and every other anomaly of isolation',
    ],
    judge: ({ operations }) => judge(operations, groupSize ?? null),
  })
}

/** One read of a group: which of the group's keys it shows as written. */
interface Snapshot {
  readonly by: Operation
  /** In order of the group's keys. */
  readonly isWritten: readonly boolean[]
  readonly written: number
}

interface Group {
  readonly keys: readonly string[]
  /** Different snapshots by what they show, the first read of each. */
  readonly snapshots: Map<string, Snapshot>
}

function judge(operations: readonly Operation[], groupSize: number | null): Judgement {
  const emptied = emptiedKeys(operations)
  const groups = new Map<string, Group>()
  const counts = { reads: 0, otherReads: 0 }
  for (const operation of operations) {
    const values = readBy(operation)
    if (values === null || values.size < 2) continue
    if (groupSize !== null && values.size !== groupSize) {
      counts.otherReads += 1
      continue
    }
    for (const key of values.keys()) if (emptied.has(key)) values.delete(key)
    if (values.size < 2) continue
    counts.reads += 1
    add(groups, operation, values)
  }
  const forks = new AnomalyList()
  for (const { keys, snapshots } of groups.values()) {
    const inOrder = [...snapshots.values()].sort((a, b) => a.written - b.written)
    for (let i = 1; i < inOrder.length; i += 1) {
      const [first, second] = [inOrder[i - 1]!, inOrder[i]!]
      const onlyFirst = keys.findIndex((_, at) => first.isWritten[at]! && !second.isWritten[at]!)
      if (onlyFirst === -1) continue
      // As many keys as the first, or more, and not all of the first's: it shows one that the first does not.
      const onlySecond = keys.findIndex((_, at) => second.isWritten[at]! && !first.isWritten[at]!)
      forks.add(() => anomalyOf({ first, second }, [keys[onlyFirst]!, keys[onlySecond]!]))
    }
  }
  return {
    consumed: counts.reads,
    ...allOf([forks]),
    evidence: {
      reads: counts.reads,
      readsOfOtherSizes: counts.otherReads,
      groups: groups.size,
      snapshots: [...groups.values()].reduce((sum, { snapshots }) => sum + snapshots.size, 0),
      forks: forks.count,
    },
  }
}

function add(groups: Map<string, Group>, by: Operation, values: ReadonlyMap<string, boolean>): void {
  const keys = [...values.keys()].sort()
  const group = groups.get(JSON.stringify(keys)) ?? { keys, snapshots: new Map<string, Snapshot>() }
  groups.set(JSON.stringify(keys), group)
  const isWritten = group.keys.map((key) => values.get(key)!)
  const shows = isWritten.map((is) => (is ? '1' : '0')).join('')
  if (group.snapshots.has(shows)) return
  const written = isWritten.reduce((count, is) => count + (is ? 1 : 0), 0)
  group.snapshots.set(shows, { by, isWritten, written })
}

/** For each key that the operation read from outside itself: whether it had been written. */
function readBy(operation: Operation): Map<string, boolean> | null {
  const { output } = operation
  if (typeof output !== 'object' || output === null || outcomeOf(operation) !== 'ok') return null
  if (!Array.isArray(output)) {
    return new Map(Object.entries(output).map(([key, value]) => [key, isWritten(value)]))
  }
  const values = new Map<string, boolean>()
  const own = new Set<string>()
  for (const micro of output) {
    if (!Array.isArray(micro) || micro.length !== 3) return null
    const key = nameOf(micro[1]!)
    if (!isRead(micro[0]!)) own.add(key)
    else if (!own.has(key) && !values.has(key)) values.set(key, isWritten(micro[2]!))
  }
  return values
}

/** Keys that may be unwritten again after they were written. */
function emptiedKeys(operations: readonly Operation[]): ReadonlySet<string> {
  const emptied = new Set<string>()
  for (const operation of operations) {
    const { op_type: type, key, input } = operation
    if (outcomeOf(operation) === 'failed') continue
    if (type === 'delete' || ((type === 'write' || type === 'put') && input === null)) {
      emptied.add(nameOf(key))
    }
    if (!Array.isArray(input)) continue
    for (const micro of input) {
      if (Array.isArray(micro) && micro.length === 3 && !isRead(micro[0]!) && micro[2] === null) {
        emptied.add(nameOf(micro[1]!))
      }
    }
  }
  return emptied
}

/** Objects have only text for keys, so that 1 and "1" are one key. */
function nameOf(key: Json): string {
  return typeof key === 'string' ? key : JSON.stringify(key)
}

function isRead(kind: Json): boolean {
  return kind === 'r' || kind === 'read'
}

function isWritten(value: Json): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== null
}

function anomalyOf(
  { first, second }: { first: Snapshot; second: Snapshot },
  [onlyFirst, onlySecond]: readonly [string, string],
): Anomaly {
  return {
    type: 'long-fork',
    explanation: `${tell(first.by)} saw key ${onlyFirst} written and not key ${onlySecond}, ${tell(second.by)} saw key ${onlySecond} written and not key ${onlyFirst}: the two writes happened in opposite orders.`,
    operations: [first.by, second.by]
      .toSorted((a, b) => a.invoke_ts - b.invoke_ts)
      .map(({ op_id: id }) => id),
  }
}
