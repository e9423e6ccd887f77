import { tell } from '../words.js'
import type { CheckInput } from '../checker.js'
import type { Judgement } from '../define.js'
import { accessesOf, valueOf, type Access, type Accesses } from './accesses.js'
import { looseVersion } from './loose-version.js'
import { enterObligations, type Guarantee, type Obligations } from './obligations.js'
import type { SessionOptions } from './options.js'
import { placesOf, unplaced, type Places } from './places.js'
import { tellCycle } from './tell-cycle.js'

/** Knots in the order of writes that are told. */
const told = 10

/**
 * Whether there is one order of all writes that keeps the versions and gives every session what the guarantees promise.
 * That is decided exactly, in linear time after sorting, where every read shows by version or value which write it saw.
 */
export function judgeSessions(
  input: CheckInput,
  guarantees: ReadonlySet<Guarantee>,
  options: SessionOptions,
): Judgement {
  const all = accessesOf(input, options)
  const places = placesOf(all, valueOf(input.model?.semantics.init ?? null))
  const obligations = enterObligations(all.accesses, places, guarantees)
  const { cycles, count } = places.order.cycles(told)
  const anomalies = [...obligations.broken, ...cycles.map((cycle) => tellCycle(cycle, all.accesses, places))]
  return {
    consumed: all.consumed,
    anomalies,
    untold: obligations.brokenCount + count - anomalies.length,
    undecided: undecidedBy({ all, places, obligations, guarantees }),
    evidence: {
      sessions: obligations.sessions,
      keys: places.keys,
      versions: places.versions,
      obligations: obligations.count,
      doubts: obligations.doubts,
      failed: all.failed,
      unknown: all.unknown,
    },
  }
}

function undecidedBy({
  all,
  places,
  obligations,
  guarantees,
}: {
  all: Accesses
  places: Places
  obligations: Obligations
  guarantees: ReadonlySet<Guarantee>
}): string | null {
  const { doubtful, doubts, count } = obligations
  if (doubtful !== -1) {
    const access = all.accesses[doubtful]!
    return `the places of ${doubts} operations among the writes are not known, first at ${tell(access.operation)}: ${causeOf(access, places.why[doubtful]!, all)}`
  }
  if (places.loose !== -1) return looseVersion(all.accesses[places.loose]!.operation)
  const needsVersions = !guarantees.has('read-your-writes') && !guarantees.has('monotonic-reads')
  if (needsVersions && count > 0 && places.versions === 0) {
    return 'no operation shows a version, and what reads return does not tell in which order writes took effect; let writes answer { version }, or judge all four guarantees together by sessionConsistency()'
  }
  return null
}

function causeOf({ operation, value }: Access, why: number, { failedWrites }: Accesses): string {
  if (why === unplaced.ambiguous) {
    return 'more than one write could have left that value; let operations answer { value, version }, or write distinct values'
  }
  const failed = failedWrites.get(operation.key)?.get(value ?? null)
  if (failed === undefined) return 'no operation is known to have written that value'
  return `${tell(failed)}, which wrote that value, is recorded as failed: was that a timeout?`
}
