import type { Model } from '../../models/model.js'
import type { Call } from './call.js'
import { prefix } from './prefix.js'
import { Readers } from './readers.js'
import { settle, type Settling } from './settle.js'

const smallestWindow = 8

type Judge = (calls: readonly Call[]) => Promise<boolean>

/**
 * A small part of a violation that is a violation by itself and shows that the whole is one.
 *
 * Only what may be left out soundly is: what came after the break; observers; and, in histories of one value, a write
 * with everything that may depend on it. First all but the calls just before the break are left out, then ever smaller
 * groups of the rest; what is left is checked to be still a violation each time. Null when no part is found in time.
 */
export async function minimise(
  all: readonly Call[],
  brokenAt: Call,
  settling: Settling,
): Promise<readonly Call[] | null> {
  const stillRefutes: Judge = async (calls) => (await settle(calls, settling)) === 'not-linearizable'
  const cut = prefix(all, brokenAt)
  const readers = Readers.of(cut, settling.model)
  const near = await nearTheBreak(cut, { brokenAt, readers, stillRefutes })
  if (near === null && !(await stillRefutes(cut))) return null

  const isObserver = (call: Call) => call.observer
  let calls = await leaveOut(near ?? cut, { candidates: isObserver, stillRefutes })
  if (!readers) return calls
  const withDependants = (chunk: readonly Call[]) => readers.closure(chunk)
  calls = await leaveOut(calls, { candidates: (call) => !call.observer, withDependants, stillRefutes })
  calls = await leaveOut(calls, { candidates: isObserver, stillRefutes })
  const told = withWitnesses(calls, all, settling.model)
  return (await stillRefutes(told)) ? told : calls
}

/** The smallest window of calls just before the break that refutes, its size doubled until one does. */
async function nearTheBreak(
  cut: readonly Call[],
  { brokenAt, readers, stillRefutes }: { brokenAt: Call; readers: Readers | null; stillRefutes: Judge },
): Promise<readonly Call[] | null> {
  for (let size = smallestWindow; size < cut.length; size *= 2) {
    const recent = new Set(cut.slice(-size)).add(brokenAt)
    const far = cut.filter((call) => !recent.has(call))
    const out = new Set(far.filter((call) => call.observer))
    if (readers) for (const call of readers.closure(far.filter((call) => !call.observer))) out.add(call)
    const rest = cut.filter((call) => !out.has(call))
    if (!out.has(brokenAt) && (await stillRefutes(rest))) return rest
  }
  return null
}

/**
 * The calls with those that show why a value could not be met, for each call whose value nobody among them wrote: the
 * last write of it and the write that had replaced it, or the write that came too late.
 */
function withWitnesses(calls: readonly Call[], all: readonly Call[], model: Model): Call[] {
  const readers = Readers.of(all, model)
  if (!readers) return [...calls]
  const told = new Set(calls)
  for (const call of calls) {
    const value = readers.reads(call)
    if (value === undefined || calls.some((other) => other !== call && readers.writes(other) === value))
      continue
    const writers = all.filter((other) => readers.writes(other) === value && other !== call)
    const newer = all.find((other) => other.invoke === readers.hiddenBefore(call))
    const older = newer && writers.findLast((writer) => writer.complete < newer.invoke)
    const late = writers.find((writer) => writer.invoke > call.complete)
    if (older) told.add(older).add(newer)
    else if (late) told.add(late)
  }
  const ids = new Set([...told].map((call) => call.operation.op_id))
  return all.filter((call) => ids.has(call.operation.op_id))
}

async function leaveOut(
  calls: readonly Call[],
  {
    candidates,
    withDependants = (chunk) => new Set(chunk),
    stillRefutes,
  }: {
    candidates: (call: Call) => boolean
    withDependants?: (chunk: readonly Call[]) => Set<Call>
    stillRefutes: Judge
  },
): Promise<Call[]> {
  let kept = [...calls]
  let pending = kept.filter(candidates)
  for (let size = pending.length; size >= 1; size = Math.floor(size / 2)) {
    const tried: Call[] = []
    while (pending.length > 0) {
      const chunk = pending.slice(0, size)
      pending = pending.slice(size)
      const out = withDependants(chunk)
      const rest = kept.filter((call) => !out.has(call))
      if (rest.length < kept.length && (await stillRefutes(rest))) {
        kept = rest
        pending = pending.filter((call) => !out.has(call))
      } else {
        tried.push(...chunk)
      }
    }
    const left = new Set(kept)
    pending = tried.filter((call) => left.has(call))
  }
  return kept
}
