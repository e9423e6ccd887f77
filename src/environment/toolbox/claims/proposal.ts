import type { Category } from '../../../claim/claim.js'

/** Words of a repository that look like a promise. A person has to say whether they are one. */
export interface ClaimProposal {
  readonly from: 'document' | 'error type'
  /** As it stands there. */
  readonly quote: string
  /** What it seems to be about. */
  readonly category: Category
  readonly file: string
  readonly line: number
  /** True when the words are ones that promises are made in, such as `durable` or `NotLeader`; `must` and `Timeout` are not yet. */
  readonly telling: boolean
}

/** What words are about, the more telling first. */
const about: readonly (readonly [category: Category, words: RegExp])[] = [
  ['idempotency', /exactly[- ]once|idempoten|at[- ]most[- ]once|duplicate|dedup/i],
  [
    'durability',
    /durab|persist|fsync|never (?:be )?los(?:e|es|t)\b|not (?:be )?lost|survive|corrupt|checksum|disk ?full/i,
  ],
  ['isolation', /isolation|serializ|snapshot read|phantom|deadlock|write ?conflict|abort/i],
  ['ordering', /in order|\border(?:ed|ing)?\b|monoton|sequence|out ?of ?order/i],
  ['membership', /membership|member |conf(?:iguration)? ?change|learner|removed from the cluster/i],
  ['boundary', /tenant|permission|unauthori[sz]|access denied|namespace isolation/i],
  ['fairness', /\bfair|starv|quota|throttl|rate ?limit/i],
  ['performance-slo', /latency|throughput|percentile|p99/i],
  ['liveness', /eventually|makes? progress|available|availability|elected|timed? ?out|timeout/i],
]

/** The category that words seem to belong to; safety when they do not tell. */
export function categoryOf(words: string): Category {
  return about.find(([, pattern]) => pattern.test(words))?.[0] ?? 'safety'
}
