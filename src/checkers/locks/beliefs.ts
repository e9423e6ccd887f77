import { outcomeOf, type Operation } from '../../history/operation.js'
import { eventsInOrder } from './events.js'

/** A time in which a process surely takes itself for the holder, in nanoseconds; `until` is not part of it. */
export interface Belief {
  readonly from: number
  readonly until: number
  /** The acquire or renew by which it believes so. */
  readonly grant: Operation
  /** What ended it before its time, if anything did. */
  readonly endedBy: Operation | null
}

interface Believer {
  /** The belief that goes on, if it has not run out by now. */
  current: Omit<Belief, 'endedBy'> | null
  /**
   * Until when a release of its own may take effect, or when it was told that it has nothing: no grant asked for before
   * is sure.
   */
  gaveUpAt: number
}

/**
 * When each process surely took itself for the holder, by key: from the answer of an acquire or renew until `sureNs` after
 * the call of the latest one that was answered. The call counts and not the answer, because the lease may have begun right
 * after it. It ends early with the call of a release, and with an answer of false to an acquire, a renew or a release.
 * Grants that were asked for while an earlier release could still take effect are not sure.
 * What one process believes is in pieces that do not overlap, in order of time.
 */
export function beliefsOf(
  operations: readonly Operation[],
  { sureNs }: { readonly sureNs: number },
): ReadonlyMap<Operation['key'], readonly Belief[]> {
  const beliefs = new Map<Operation['key'], Belief[]>()
  const believers = new Map<Operation['key'], Map<Operation['process_id'], Believer>>()

  for (const event of eventsInOrder(operations)) {
    const operation = operations[Math.abs(event) - 1]!
    const {
      op_type: type,
      key,
      process_id: process,
      output,
      invoke_ts: invoked,
      complete_ts: answered,
    } = operation
    const isRelease = type === 'release'
    if (!isRelease && type !== 'acquire' && type !== 'renew') continue
    const byProcess = believers.get(key) ?? new Map<Operation['process_id'], Believer>()
    believers.set(key, byProcess)
    const believer = byProcess.get(process) ?? { current: null, gaveUpAt: -Infinity }
    byProcess.set(process, believer)
    const ofKey = beliefs.get(key) ?? []
    beliefs.set(key, ofKey)
    const end = (at: number, endedBy: Operation | null) => {
      const { current } = believer
      const until = Math.min(at, current?.until ?? at)
      if (current !== null && current.from < until) {
        ofKey.push({ ...current, until, endedBy: until < current.until ? endedBy : null })
      }
      believer.current = null
    }
    if (event > 0) {
      if (isRelease) {
        believer.gaveUpAt = Math.max(believer.gaveUpAt, answered ?? Infinity)
        end(invoked, operation)
      }
    } else if (output === false) {
      believer.gaveUpAt = Math.max(believer.gaveUpAt, answered!)
      end(answered!, operation)
    } else if (!isRelease && outcomeOf(operation) === 'ok' && invoked > believer.gaveUpAt) {
      const until = invoked + sureNs
      if (believer.current !== null && until <= believer.current.until) continue
      end(answered!, null)
      believer.current = { from: answered!, until, grant: operation }
    }
  }
  for (const [key, byProcess] of believers) {
    for (const { current } of byProcess.values()) {
      if (current !== null && current.from < current.until)
        beliefs.get(key)?.push({ ...current, endedBy: null })
    }
  }
  for (const ofKey of beliefs.values()) ofKey.sort((a, b) => a.from - b.from)
  return beliefs
}
