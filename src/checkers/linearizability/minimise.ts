import type { Model } from '../../models/model.js'
import type { Pacer } from '../pacer.js'
import type { Call, Partition } from './call.js'
import { prefix } from './prefix.js'
import { Readers } from './readers.js'
import { refutes } from './refutes.js'

/**
 * A small part of the history that is not linearizable by itself and shows that the whole is not.
 *
 * Only what may be left out soundly is: what came after the break; observers; and, in histories of one value, a write
 * with everything that may depend on it. Halves are tried before quarters, and so on down to single calls; after each
 * step the rest is checked to be still a violation. Stops early, with what it has, when time runs out.
 */
export async function minimise(
  partition: Partition,
  brokenAt: Call,
  { model, pacer }: { model: Model; pacer: Pacer },
): Promise<Call[]> {
  const context = { key: partition.key, model, pacer }
  const cut = prefix(partition.calls, brokenAt)
  const stillRefutes = (calls: readonly Call[]) => refutes(calls, context)
  let calls = cut
  if (!(await stillRefutes(calls))) return calls

  const readers = Readers.of(cut, model)
  calls = await leaveOut(calls, { candidates: (call) => call.observer && call !== brokenAt, stillRefutes })
  if (!readers) return calls
  const withDependants = (chunk: readonly Call[]) => readers.closure(chunk)
  calls = await leaveOut(calls, { candidates: (call) => !call.observer, withDependants, stillRefutes })
  calls = await leaveOut(calls, { candidates: (call) => call.observer, stillRefutes })
  const told = withWitnesses(calls, partition.calls, model)
  return (await stillRefutes(told)) ? told : calls
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
    stillRefutes: (calls: readonly Call[]) => Promise<boolean>
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
