import type { Checker, CheckInput } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { tell } from '../words.js'
import { accessesOf, valueOf, type Access } from './accesses.js'
import { keyHistories } from './key-history.js'
import { judgeLateReads } from './late-reads.js'
import { judgeMissedVersions } from './missed-versions.js'
import { noPlace, placesOf } from './places.js'
import { Staleness } from './staleness.js'
import { readStalenessOptions, type StalenessOptions } from './staleness-options.js'
import { looseVersion } from './loose-version.js'
import { tellCycle } from './tell-cycle.js'
import { WriteOrder } from './write-order.js'

/** Knots in the order of writes that are told. */
const told = 10

const scope = [
  'staleness within the bound, also when a session goes back in it',
  'writes of unknown outcome that were missed: they may never have taken effect',
  'anomalies across keys: each key is judged by itself',
  'values that nobody wrote, of which it says unknown',
]

/**
 * No read is too stale: it may miss writes that were acknowledged less than `within` before it began, or at most
 * `versions` newer acknowledged versions.
 *
 * What is newer is told by versions (outputs `{ value, version }`, or `version`); on a key without any, a write is newer
 * than one that must have taken effect before it began, overlapping writes may be in any order, and written values have
 * to be distinct. A write of unknown outcome may have been read and need not have been. Throws DeclarationError when the
 * options are wrong.
 */
export function boundedStaleness(options: StalenessOptions): Checker {
  const bound = readStalenessOptions(options)
  return defineChecker({
    name: 'bounded-staleness',
    pattern: 8,
    options,
    usesModel: true,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'timeout_marker'],
    scope,
    judge: (input) => judge(input, { bound, options }),
  })
}

function judge(
  input: CheckInput,
  { bound, options }: { bound: ReturnType<typeof readStalenessOptions>; options: StalenessOptions },
): Judgement {
  const all = accessesOf(input, options)
  const { accesses } = all
  const init = valueOf(input.model?.semantics.init ?? null)
  const places = placesOf(all, init)
  const staleness = new Staleness(accesses)
  const order = new WriteOrder()
  const endedBy = new Map<number, number>()
  const ends = new Float64Array(accesses.length)
  const shared = { ...places, accesses, init, staleness, ends, endedBy }
  const nodes = new Map<number, number>()
  for (const key of keyHistories(accesses)) {
    if ('withinNs' in bound) judgeLateReads(key, { ...shared, withinNs: bound.withinNs, order, nodes })
    // To miss no version at all is to miss none within no time, which is decided exactly.
    else if (bound.versions === 0) judgeLateReads(key, { ...shared, withinNs: 0, order, nodes })
    else judgeMissedVersions(key, { ...shared, versions: bound.versions })
  }
  const { cycles, count } = order.cycles(told)
  const noNodes = new Int32Array(accesses.length).fill(noPlace)
  const anomalies = [
    ...staleness.anomalies,
    ...cycles.map((cycle) =>
      tellCycle(cycle, accesses, { shownBy: nodes, versionFrom: endedBy, into: noNodes }),
    ),
  ]
  return {
    consumed: all.consumed,
    anomalies,
    untold: staleness.broken + count - anomalies.length,
    undecided: undecidedBy(staleness, { accesses, loose: places.loose }),
    evidence: {
      keys: places.keys,
      versions: places.versions,
      tested: staleness.tested,
      doubts: staleness.doubts,
      failed: all.failed,
      unknown: all.unknown,
    },
  }
}

function undecidedBy(
  { doubtful, doubts }: Staleness,
  { accesses, loose }: { accesses: readonly Access[]; loose: number },
): string | null {
  if (doubtful !== -1) {
    const read = tell(accesses[doubtful]!.operation)
    return `what ${doubts} reads missed is not known, first ${read}; let operations answer { value, version }, or write distinct values`
  }
  if (loose !== -1) return looseVersion(accesses[loose]!.operation)
  return null
}
