import { z } from 'zod'
import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Model } from '../../models/model.js'
import { checkedOptions } from '../checked-options.js'
import type { Anomaly, Checker } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { tell } from '../words.js'
import { eventsInOrder } from './events.js'
import { Holds } from './holds.js'

const name = 'mutual-exclusion'

/** Violations that are kept to be told; the others are counted. */
const told = 50

/** Holders that a sentence names. */
const named = 5

export interface MutualExclusionOptions {
  /** How many may hold at a time. Default: as many as the model `semaphore` says, else one. */
  readonly permits?: number
  /** Operation types by which a process comes to hold. Default: acquire. */
  readonly acquires?: readonly string[]
  /**
   * Operation types by which a process ceases to hold, from their invocation. Default: release. Add what ends a hold of
   * a client that is gone, such as an `expire` that your workload records.
   */
  readonly releases?: readonly string[]
}

const schema = z.strictObject({
  permits: z.int().positive().optional(),
  acquires: z.array(z.string().min(1)).min(1).optional(),
  releases: z.array(z.string().min(1)).optional(),
})

/**
 * Never more holders at a time than there are permits, per key.
 *
 * A process surely holds from the answer of its acquire to the invocation of its next release that may have taken effect,
 * or of the next release or renew that answers false: the system says there that it holds nothing. An acquire of unknown
 * outcome is no sure hold, a release of unknown outcome may have taken effect. A process that is never heard of again
 * goes on holding; with the model `lease`, whose holds end by time, two holders leave the answer `unknown`. Every history
 * that is linearizable by the models `lock` and `semaphore` passes. O(n log n). Throws DeclarationError when the options are
 * wrong.
 */
export function mutualExclusion(options: MutualExclusionOptions = {}): Checker {
  const { permits, acquires, releases } = checkedOptions(options, {
    checker: name,
    factory: 'mutualExclusion',
    schema,
    example: 'mutualExclusion({ permits: 3 })',
  })
  const types = { acquires: new Set(acquires ?? ['acquire']), releases: new Set(releases ?? ['release']) }
  return defineChecker({
    name,
    pattern: 2,
    options,
    needs: ['process_id', 'invoke_ts', 'complete_ts', 'op_type', 'timeout_marker'],
    scope: [
      'two holders of whom one had not yet been answered, or had asked to release',
      'holds that end by time: a client that is gone goes on holding, see lease-exclusion',
      'locks that are never granted, and releases of what nobody held',
    ],
    // Mutants have as many holders by `acquire` as the model forbids.
    forbids: permits === undefined && acquires === undefined ? undefined : [],
    judge: ({ operations, model }) => {
      const judgement = judge(operations, { ...types, permits: permits ?? permitsOf(model) })
      return model?.name === 'lease' ? unlessRunOut(judgement) : judgement
    },
  })
}

/** A lease that nobody gave back may have run out before the next one was granted. */
function unlessRunOut(judgement: Judgement): Judgement {
  const [first] = judgement.anomalies
  if (first === undefined) return judgement
  const hint = "leaseExclusion({ ttl: '10s', clockUncertainty: '200ms' }) tells whether it had"
  const undecided = `unless a lease had run out there were two holders: ${first.explanation} ${hint}`
  return { ...judgement, anomalies: [], untold: 0, undecided }
}

function permitsOf(model: Model | null): number {
  const init = model?.name === 'semaphore' ? model.semantics.init : 1
  return typeof init === 'number' ? init : 1
}

interface Types {
  readonly acquires: ReadonlySet<string>
  readonly releases: ReadonlySet<string>
}

interface Violation {
  readonly holders: readonly Operation[]
  readonly permits: number
}

function judge(
  operations: readonly Operation[],
  { acquires, releases, permits }: Types & { permits: number },
): Judgement {
  const locks = new Map<Operation['key'], Lock>()
  const violations: Violation[] = []
  const endOf = new Map<Operation, Operation>()
  let unclear: Operation | null = null
  const counts = { consumed: 0, grants: 0, mostHolders: 0, violations: 0 }

  for (const event of eventsInOrder(operations)) {
    const operation = operations[Math.abs(event) - 1]!
    const { op_type: type, output, process_id: process } = operation
    const isAcquire = acquires.has(type)
    const isRelease = releases.has(type)
    const isRefused = output === false
    if (!isAcquire && !isRelease && !(type === 'renew' && isRefused)) continue
    if (event > 0) counts.consumed += 1
    if (outcomeOf(operation) === 'failed' || (isAcquire && isRefused)) continue
    const lock = found(locks, operation.key, () => ({
      holders: new Map<Operation['process_id'], Holds>(),
      held: 0,
    }))
    const holds = found(lock.holders, process, () => new Holds())
    const before = holds.acquires.length
    if (event < 0) {
      holds.answered()
      if (isAcquire) holds.granted(operation)
      if (holds.isUnclear) unclear ??= operation
    } else {
      holds.called(operation)
      if (isRefused) for (const acquire of holds.emptiedBy(operation)) endOf.set(acquire, operation)
      else if (isRelease) {
        const acquire = holds.releasing(operation)
        if (acquire !== null) endOf.set(acquire, operation)
      }
    }
    lock.held += holds.acquires.length - before
    if (!isAcquire || event > 0) continue
    counts.grants += 1
    counts.mostHolders = Math.max(counts.mostHolders, lock.held)
    if (lock.held <= permits || holds.acquires.length === before) continue
    counts.violations += 1
    if (violations.length < told)
      violations.push({ holders: holdersOf(lock, { most: permits + 1, last: holds }), permits })
  }
  return {
    consumed: counts.consumed,
    anomalies: violations.map((violation) => anomalyOf(violation, endOf)),
    untold: counts.violations - violations.length,
    undecided:
      unclear === null
        ? null
        : `process ${unclear.process_id} was granted the lock while it was told that it holds nothing; let a process do one thing at a time`,
    evidence: {
      locks: locks.size,
      grants: counts.grants,
      mostHolders: counts.mostHolders,
      permits,
      violations: counts.violations,
    },
  }
}

interface Lock {
  readonly holders: Map<Operation['process_id'], Holds>
  held: number
}

function found<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

/** So many sure holds of the lock, that of the last one to acquire among them. */
function holdersOf({ holders }: Lock, { most, last }: { most: number; last: Holds }): Operation[] {
  const chosen = last.acquires.slice(-most)
  for (const holds of holders.values()) {
    if (chosen.length >= most) break
    if (holds !== last) chosen.push(...holds.acquires.slice(chosen.length - most))
  }
  return chosen.toSorted((a, b) => a.invoke_ts - b.invoke_ts)
}

function anomalyOf({ holders, permits }: Violation, endOf: ReadonlyMap<Operation, Operation>): Anomaly {
  const ends = new Set(holders.flatMap((acquire) => endOf.get(acquire) ?? []))
  const left = holders.length - named
  const who = holders.slice(0, named).map(tell).join(' and ') + (left > 0 ? ` and ${left} more` : '')
  const until =
    ends.size === 0
      ? 'none of them was ever released'
      : 'none of these holds had begun to be released by then'
  return {
    type: permits === 1 ? 'two-holders' : 'too-many-holders',
    explanation: `${who} had all been granted and ${until}; ${permits === 1 ? 'one may hold' : `${permits} may hold`} at a time.`,
    operations: [...holders, ...ends]
      .toSorted((a, b) => a.invoke_ts - b.invoke_ts)
      .map(({ op_id: id }) => id),
  }
}
