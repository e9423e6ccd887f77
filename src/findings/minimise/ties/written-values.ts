import type { Operation } from '../../../history/operation.js'
import { attributed } from '../../../models/operation-error.js'
import type { Accesses, AccessesOf, Valued } from './accesses.js'
import { addTo } from './lists.js'
import { Overwrites } from './overwrites.js'
import type { Ties } from './ties.js'

/**
 * For values that are written and read: a read depends on the writes of what it saw, and what met some other value than
 * one on the writes of others. Every operation of a closed part still follows the write that it followed.
 *
 * With `inRealTime` a write is no cause when another lies wholly between it and the read, or when it began after the
 * read had returned. Where no write of the value is left, the last of those hidden ones or the first of the later ones is
 * kept, since it shows why the value could not be met.
 */
export function writtenValues(
  history: readonly Operation[],
  { accessesOf, inRealTime }: { accessesOf: AccessesOf; inRealTime: boolean },
): Ties {
  const accesses = new Map<Operation, Accesses>()
  const writers = new Map<string, Operation[]>()
  const writersOfKey = new Map<Valued['key'], { operation: Operation; value: string }[]>()
  for (const operation of history) {
    const its = attributed(operation.op_id, () => accessesOf(operation))
    if (its === null) continue
    accesses.set(operation, its)
    for (const written of its.writes) {
      addTo(writers, nameOf(written), operation)
      addTo(writersOfKey, written.key, { operation, value: written.value })
    }
  }
  const overwrites = inRealTime ? new Overwrites(writersOfKey) : null
  const mayMeet = (reader: Operation, key: Valued['key'], writer: Operation) =>
    writer !== reader && (overwrites === null || overwrites.mayMeet(reader, key, writer))

  return {
    causesOf(operation) {
      const its = accesses.get(operation)
      if (its === undefined) return []
      const causes: Operation[] = []
      for (const read of its.reads) {
        const all = (writers.get(nameOf(read)) ?? []).filter((writer) => writer !== operation)
        const possible = all.filter((writer) => mayMeet(operation, read.key, writer))
        causes.push(...(possible.length > 0 ? possible : nearest(all, operation)))
      }
      for (const { key, value } of its.differs) {
        for (const other of writersOfKey.get(key) ?? []) {
          if (other.value !== value && mayMeet(operation, key, other.operation)) causes.push(other.operation)
        }
      }
      return causes
    },
  }
}

/** The last of the writes that returned before the read began, else the first of all. */
function nearest(writers: readonly Operation[], reader: Operation): Operation[] {
  let last: Operation | undefined
  for (const writer of writers) {
    const { complete_ts: completed } = writer
    if (completed === null || completed >= reader.invoke_ts) continue
    if (last === undefined || completed > (last.complete_ts as number)) last = writer
  }
  const told = last ?? writers[0]
  return told === undefined ? [] : [told]
}

function nameOf({ key, value }: Valued): string {
  return `${JSON.stringify(key)} ${value}`
}
