import { z } from 'zod'
import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { AnomalyList, allOf } from '../anomaly-list.js'
import { checkedOptions } from '../checked-options.js'
import type { Anomaly, Checker } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { fieldOf } from '../field-of.js'
import { tell } from '../words.js'
import { eventsInOrder } from './events.js'

const name = 'fencing-tokens'

/** Operation types that are about the lock itself; the others use what it guards. */
const grants = new Set(['acquire', 'renew'])
const ends = 'release'

export interface FencingTokensOptions {
  /**
   * Where the token stands in what an acquire or renew answers and in the input of guarded operations: a field, or a
   * dotted path. Default: token. An answer of an acquire or renew that is a number is the token itself.
   */
  readonly token?: string
}

const schema = z.strictObject({ token: z.string().min(1).optional() })

/**
 * Fencing tokens do their work, on both sides.
 *
 * Of the lock, per key: a grant that was asked for after another one had been answered has a higher token, or the same
 * one if it is the same process's; and no two processes are given the same token. Of what it guards, per key of the
 * guarded operations: none is accepted with a token lower than one that had been accepted before it was asked for.
 * Tokens are numbers, or strings of digits of any length. Only answered operations count, and an answer of false is a
 * refusal. O(n log n). Throws DeclarationError when the options are wrong.
 */
export function fencingTokens(options: FencingTokensOptions = {}): Checker {
  const { token = 'token' } = checkedOptions(options, {
    checker: name,
    factory: 'fencingTokens',
    schema,
    example: "fencingTokens({ token: 'lease.token' })",
  })
  return defineChecker({
    name,
    pattern: 2,
    options,
    needs: ['process_id', 'invoke_ts', 'complete_ts', 'op_type'],
    scope: [
      'old tokens that are accepted while no newer one has been used yet',
      'tokens of grants whose outcome is unknown, and tokens that nobody was given',
      'the order of grants that overlap in time',
    ],
    judge: ({ operations }) => judge(operations, token),
  })
}

type Token = number | bigint

interface Held {
  readonly token: Token
  readonly operation: Operation
}

/** One lock or one guarded object as its operations go by in order of time. */
interface Track {
  /** The highest token that has been answered so far. */
  highest: Held | null
  /** The first grant of each token; of locks only. */
  readonly grantOf: Map<Token, Operation>
}

function judge(operations: readonly Operation[], path: string): Judgement {
  const locks = new Map<Operation['key'], Track>()
  const guarded = new Map<Operation['key'], Track>()
  const highestBefore = new Map<Operation, Held>()
  const reused = new AnomalyList()
  const fallen = new AnomalyList()
  const stale = new AnomalyList()
  const counts = { grants: 0, uses: 0, withoutToken: 0 }

  for (const event of eventsInOrder(operations)) {
    const operation = operations[Math.abs(event) - 1]!
    const { op_type: type, key, output, process_id: process } = operation
    if (type === ends || outcomeOf(operation) !== 'ok' || output === false) continue
    const isGrant = grants.has(type)
    const token = tokenIn(isGrant ? output : operation.input, { path, isWhole: isGrant })
    if (token === null) {
      if (isGrant && event < 0) counts.withoutToken += 1
      continue
    }
    const track = trackOf(isGrant ? locks : guarded, key)
    if (event > 0) {
      if (track.highest !== null) highestBefore.set(operation, track.highest)
      continue
    }
    const before = highestBefore.get(operation)
    highestBefore.delete(operation)
    if (track.highest === null || token > track.highest.token) track.highest = { token, operation }
    if (!isGrant) {
      counts.uses += 1
      if (before !== undefined && token < before.token)
        stale.add(() => staleUse(before, { token, operation }))
      continue
    }
    counts.grants += 1
    const earlier = track.grantOf.get(token)
    if (earlier === undefined) track.grantOf.set(token, operation)
    if (earlier !== undefined && earlier.process_id !== process) {
      reused.add(() => reuse(earlier, { token, operation }))
    } else if (before !== undefined && token < before.token) {
      fallen.add(() => fall(before, { token, operation }))
    }
  }
  return {
    consumed: counts.grants + counts.uses,
    ...allOf([stale, reused, fallen]),
    undecided: undecidedBy(counts, path),
    evidence: {
      grants: counts.grants,
      uses: counts.uses,
      grantsWithoutToken: counts.withoutToken,
      reused: reused.count,
      fallen: fallen.count,
      staleUses: stale.count,
    },
  }
}

function trackOf(tracks: Map<Operation['key'], Track>, key: Operation['key']): Track {
  let track = tracks.get(key)
  if (track === undefined) {
    track = { highest: null, grantOf: new Map() }
    tracks.set(key, track)
  }
  return track
}

function tokenIn(value: Json, { path, isWhole }: { path: string; isWhole: boolean }): Token | null {
  const found = isWhole && (typeof value !== 'object' || value === null) ? value : fieldOf(value, path)
  if (typeof found === 'number') return found
  if (typeof found !== 'string' || !/^\d+$/.test(found)) return null
  const token = Number(found)
  return Number.isSafeInteger(token) ? token : BigInt(found)
}

function undecidedBy(
  counts: { grants: number; uses: number; withoutToken: number },
  path: string,
): string | null {
  if (counts.withoutToken > 0 && counts.grants === 0) {
    return `none of ${counts.withoutToken} grants answered with a token at ${JSON.stringify(path)}; say where it is, such as fencingTokens({ token: 'lease.token' })`
  }
  return null
}

function staleUse(before: Held, { token, operation }: Held): Anomaly {
  return {
    type: 'stale-token-accepted',
    explanation: `${tell(operation)} was accepted with token ${token} although ${tell(before.operation)} had been accepted with the newer token ${before.token} before it was asked for.`,
    operations: [before.operation.op_id, operation.op_id],
  }
}

function reuse(earlier: Operation, { token, operation }: Held): Anomaly {
  return {
    type: 'token-reused',
    explanation: `${tell(earlier)} and ${tell(operation)} were both given token ${token}.`,
    operations: [earlier, operation].toSorted((a, b) => a.invoke_ts - b.invoke_ts).map(({ op_id: id }) => id),
  }
}

function fall(before: Held, { token, operation }: Held): Anomaly {
  return {
    type: 'token-not-growing',
    explanation: `${tell(operation)} was given token ${token} although ${tell(before.operation)} had been given ${before.token} before it was asked for.`,
    operations: [before.operation.op_id, operation.op_id],
  }
}
