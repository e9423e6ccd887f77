import { never, none, registerKind, type Decision, type ExactChecker, type Part } from '../../part.js'
import { clash } from './clash.js'
import { earliest, foundAmong, returnBy, type Found } from './earliest.js'
import { initialWrite, readsFrom, type ReadsFrom } from './reads-from.js'
import { reusable } from './scratch.js'
import { seenBeforeWritten } from './written.js'
import { conflict } from './zone-sweep.js'

const clusterMemory = reusable()
const firstReturnMemory = reusable()
const lastInvokeMemory = reusable()

/**
 * A register whose values are written more than once: finds most violations, and decides all when every read can have
 * seen one write only. Judging such histories is NP-complete in general (Gibbons and Korach, 1997).
 *
 * A read that can have seen no write is a violation. One that can have seen a single write is a read of that very write,
 * so writes take the place of values in `zones`; reads with a choice are left out, which hides violations but makes up
 * none, as does leaving out refused CAS. Linear.
 */
export const refuter: ExactChecker = {
  name: 'register-refuter',
  object: 'register',
  preconditions:
    'no CAS that may have taken effect; decides violations, and the rest when no read has a choice',
  decide,
}

function decide(part: Part): Decision {
  if (part.kind.includes(registerKind.cas)) {
    return { valid: 'unknown', reason: 'there are CAS operations that may have taken effect' }
  }
  const { found, ambiguities } = find(part, part.events - 1)
  if (found !== null) {
    return { valid: false, violation: earliest(found, (limit) => find(part, limit).found) }
  }
  if (part.kind.includes(registerKind.differs)) {
    return { valid: 'unknown', reason: 'refused CAS operations speak of values that they did not see' }
  }
  if (ambiguities === 0) return { valid: true }
  return { valid: 'unknown', reason: `${ambiguities} reads may have seen more than one write of their value` }
}

/** A violation in the history up to the event `limit`, and the number of reads that have a choice. */
function find(part: Part, limit: number): { found: Found | null; ambiguities: number } {
  const { count, kind, invoke } = part
  const reads = readsFrom(part, limit)
  const { ambiguities } = reads
  if (reads.impossible !== none) return { found: impossibleRead(part, { reads, limit }), ambiguities }
  /** Cluster 0 is the initial value; the write `i` has cluster `i + 1`. */
  const clusterOf = clusterMemory(count, none)
  const firstReturn = firstReturnMemory(count + 1, never)
  const lastInvoke = lastInvokeMemory(count + 1, -1)
  firstReturn[0] = -1
  for (let operation = 0; operation < count; operation += 1) {
    const began = invoke[operation] as number
    if (kind[operation] === registerKind.differs || began > limit) continue
    const isRead = kind[operation] === registerKind.read
    const ended = returnBy(part, { operation, limit })
    if (isRead && ended === never) continue
    const source = isRead ? (reads.source[operation] as number) : operation
    const cluster = source === initialWrite ? 0 : source + 1
    if (cluster < 0) continue
    clusterOf[operation] = cluster
    if (ended < (firstReturn[cluster] as number)) firstReturn[cluster] = ended
    if (began > (lastInvoke[cluster] as number)) lastInvoke[cluster] = began
  }
  const clusters = conflict({ firstReturn, lastInvoke }, part.events)
  if (clusters === null) return { found: null, ambiguities }
  const support = (operations: readonly number[]) => exclusions(part, { reads, operations })
  return {
    found: clash({ part, clusterOf, clusters, initial: 0, limit, isRepeated: true, support }),
    ambiguities,
  }
}

/** A read whose value nobody had written, or every write of which had been overwritten before the read began. */
function impossibleRead(part: Part, { reads, limit }: { reads: ReadsFrom; limit: number }): Found {
  const operation = reads.impossible
  const seen = part.a[operation] as number
  const ended = part.complete[operation] as number
  let older = none
  let later = none
  for (let write = 0; write < part.count; write += 1) {
    if (part.kind[write] !== registerKind.write || part.a[write] !== seen) continue
    if ((part.invoke[write] as number) > ended) later = later === none ? write : later
    else if (older === none || (part.complete[write] as number) > (part.complete[older] as number))
      older = write
  }
  const newer = reads.newest[operation] as number
  if (newer === none || (older === none && seen !== 0)) {
    return seenBeforeWritten(part, { operation, writer: later, limit })
  }
  return foundAmong(part, {
    type: 'stale-value',
    operations: [older, newer, operation],
    limit,
    explain: ({ tell, value }) =>
      older === none
        ? `${tell(operation)} saw the initial value ${value(seen)}, although ${tell(newer)} had returned before it began.`
        : `${tell(operation)} saw ${value(seen)}, every write of which had been overwritten: the last of them, ${tell(older)}, had returned before ${tell(newer)} began, and that had returned before the read began.`,
  })
}

/**
 * The overwrites that leave each of the reads a single write of its value, where others of its writes are among the
 * operations too: without them the read would have a choice.
 */
function exclusions(
  part: Part,
  { reads, operations }: { reads: ReadsFrom; operations: readonly number[] },
): number[] {
  const all = [...operations]
  const added: number[] = []
  for (let again = true; again;) {
    again = false
    for (const read of operations) {
      if (part.kind[read] !== registerKind.read) continue
      const newer = reads.newest[read] as number
      if (newer === none || all.includes(newer) || !hasChoiceAmong(part, { reads, read, among: all }))
        continue
      all.push(newer)
      added.push(newer)
      again = true
    }
  }
  return added
}

function hasChoiceAmong(
  part: Part,
  { reads, read, among }: { reads: ReadsFrom; read: number; among: readonly number[] },
): boolean {
  const value = part.a[read]
  const source = reads.source[read] as number
  if (value === 0 && source !== initialWrite) return true
  return among.some(
    (other) => other !== source && part.kind[other] === registerKind.write && part.a[other] === value,
  )
}
