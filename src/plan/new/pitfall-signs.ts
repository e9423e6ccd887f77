import { pitfalls } from '../../catalog/pitfalls/index.js'
import type { Pitfall } from '../../catalog/pitfall.js'

/** Words in paths, code and documents that say that a pitfall may be about this system. */
const signs: Readonly<Record<string, RegExp>> = {
  'lost-update-under-partition':
    /\b(?:compare[-_ ]?and[-_ ]?s(?:wap|et)|optimistic|last[-_ ]write[-_ ]wins|failover|split[-_ ]brain|partition(?:ed)?)\b/i,
  'stale-follower-read':
    /\b(?:followers?|read[-_ ]?replicas?|stale(?:ness)?|not ?leader|read ?index|secondar(?:y|ies))\b/i,
  'replica-divergence': /\b(?:replicat(?:e|es|ed|ion)|replicas?|raft|paxos|anti[-_ ]entropy|crdt)\b/i,
  'membership-change-race':
    /\b(?:conf(?:iguration)?[-_ ]?changes?|add[-_ ]?(?:member|node|peer)|remove[-_ ]?(?:member|node|peer)|joint consensus|learners?)\b/i,
  'cross-shard-non-atomicity':
    /\b(?:shards?|sharding|two[-_ ]phase|2pc|cross[-_ ]region|distributed transactions?|regions? (?:split|merge))\b/i,
  'linearizability-under-clock-skew':
    /\b(?:hybrid logical clock|hlc|true ?time|clock[-_ ]skew|lease[-_ ]read|timestamp oracle|tso)\b/i,
  'clock-dependent-safety':
    /\b(?:ntp|wall[-_ ]clock|monotonic (?:clock|time)|clock drift|expires?[-_ ]?at|ttl)\b/i,
  'lease-expiry-under-contention':
    /\b(?:leases?|fencing|distributed lock|lock[-_ ]?(?:ttl|timeout|expiry|renewal)|mutex service)\b/i,
  'schema-migration-under-traffic':
    /\b(?:schema[-_ ]?(?:change|migration)s?|migrations?|alter table|online ddl)\b/i,
  'id-collision':
    /\b(?:snowflake|auto[-_ ]?increment|sequence[-_ ]?(?:number|id)s?|next[-_ ]?id|uuid|ulid)\b/i,
  'auth-or-quota-divergence': /\b(?:quotas?|rate[-_ ]?limit(?:er|ing)?|rbac|permissions?|tenants?|acl)\b/i,
  'watch-loss-or-duplication':
    /\b(?:watch(?:er|ers|es)?|change[-_ ]?(?:feed|stream|data[-_ ]capture)s?|cdc|subscriptions?|consumer groups?)\b/i,
  'idempotency-cold-cache':
    /\b(?:idempoten(?:t|cy)|dedup(?:e|lication)?|exactly[-_ ]once|message[-_ ]?id)\b/i,
  'outbox-head-of-line':
    /\b(?:outbox|dead[-_ ]letter|retry queue|poison (?:message|pill)|head[-_ ]of[-_ ]line)\b/i,
  'lost-ack-or-lost-commit':
    /\b(?:ack(?:nowledge(?:d|ment)?|s)?|commit(?:ted|s)?|time[-_ ]?outs?|retr(?:y|ies))\b/i,
  'crash-recovery-divergence':
    /\b(?:wal|write[-_ ]ahead|fsync|snapshots?|crash[-_ ]?recovery|recover(?:y|ies)|journal)\b/i,
}

/** A pitfall with the place that says that it may apply; null where nothing was seen, which proves nothing. */
export interface WalkedPitfall {
  readonly pitfall: Pitfall
  readonly seen: { readonly file: string; readonly line: number; readonly words: string } | null
  /** By the words of the pitfall, for tests that may be about it. */
  readonly sign: RegExp | null
}

/** Walks the pitfalls over texts, in the order of the catalog. */
export function walkedPitfalls(texts: ReadonlyMap<string, string>): WalkedPitfall[] {
  return pitfalls.map((pitfall) => {
    const sign = signs[pitfall.id] ?? null
    return { pitfall, sign, seen: sign === null ? null : firstSign(texts, sign) }
  })
}

function firstSign(texts: ReadonlyMap<string, string>, sign: RegExp): WalkedPitfall['seen'] {
  for (const [file, text] of texts) {
    const match = sign.exec(text)
    if (match !== null) {
      return { file, line: text.slice(0, match.index).split('\n').length, words: match[0] }
    }
  }
  return null
}
