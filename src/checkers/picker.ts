import type { Category } from '../claim/claim.js'
import type { Model } from '../models/model.js'

type ByCategory = Readonly<Partial<Record<Category, readonly string[]>>>

/** One row: for these models, what falsifies claims of each category, the best first. */
export interface Choice {
  readonly models: readonly string[] | 'any'
  readonly checkers: ByCategory
}

const byOrder = ['linearizable', 'sequential']
const byTransactions = ['serializable', 'linearizable', 'long-fork']
const bySessions = [
  'session-consistency',
  'monotonic-reads',
  'read-your-writes',
  'monotonic-writes',
  'writes-follow-reads',
  'bounded-staleness',
]
const byElements = ['linearizable', 'total-queue', 'no-duplicates', 'no-unexpected']
const byEffects = ['exactly-once', 'at-least-once']

/** The picker: what falsifies which claims about which models. */
export const choices: readonly Choice[] = [
  {
    models: ['register', 'cas-register', 'map', 'kv-string-append'],
    checkers: {
      safety: [...byOrder, 'bounded-staleness'],
      ordering: byOrder,
      durability: ['no-lost-ack'],
    },
  },
  { models: ['map'], checkers: { isolation: ['serializable', 'long-fork'] } },
  { models: ['multi-register'], checkers: { safety: byOrder, ordering: byOrder, isolation: byTransactions } },
  { models: ['list-append', 'rw-register'], checkers: { safety: byOrder, isolation: byTransactions } },
  {
    models: ['counter'],
    checkers: { safety: ['linearizable', 'counter', 'invariant'], durability: ['counter'] },
  },
  {
    models: ['set'],
    checkers: { safety: ['linearizable', 'set-full'], durability: ['no-lost-ack', 'set-full', 'set'] },
  },
  {
    models: ['queue', 'stack', 'priority-queue'],
    checkers: {
      safety: byElements,
      durability: ['no-lost-ack', 'total-queue', 'at-least-once'],
      idempotency: ['no-duplicates', ...byEffects],
    },
  },
  { models: ['queue'], checkers: { ordering: ['prefix-order', 'linearizable'] } },
  {
    models: ['log'],
    checkers: {
      safety: ['linearizable', 'log-offsets', 'no-duplicates', 'no-unexpected'],
      durability: ['no-lost-ack', 'log-offsets', 'replay-equivalence', 'at-least-once'],
      idempotency: ['no-duplicates', ...byEffects],
      ordering: ['prefix-order', 'linearizable', 'log-offsets', 'monotonic-reads'],
    },
  },
  { models: ['session'], checkers: { safety: bySessions, ordering: bySessions } },
  {
    models: ['ledger'],
    checkers: {
      safety: ['linearizable', 'bank-total'],
      isolation: ['bank-total'],
      durability: byEffects.toReversed(),
      idempotency: byEffects,
    },
  },
  { models: ['semaphore'], checkers: { safety: ['mutual-exclusion', 'invariant', 'linearizable'] } },
  {
    models: ['lock'],
    checkers: { safety: ['mutual-exclusion', 'invariant', 'linearizable', 'fencing-tokens'] },
  },
  {
    models: ['lease'],
    checkers: {
      safety: ['lease-exclusion', 'mutual-exclusion', 'invariant', 'linearizable', 'fencing-tokens'],
    },
  },
  {
    models: ['membership-table'],
    checkers: { safety: ['linearizable', 'one-leader-per-term'], membership: ['reconciliation'] },
  },
  {
    models: 'any',
    checkers: {
      durability: ['replay-equivalence', 'reconciliation'],
      membership: ['one-leader-per-term', 'reconciliation'],
      fairness: ['fairness'],
      'performance-slo': ['slo', 'baseline'],
      liveness: ['availability'],
      operational: ['availability', 'slo'],
    },
  },
]

const knownModels = new Set(choices.flatMap(({ models }) => (models === 'any' ? [] : models)))

/** For a model that the table does not know, besides what fits any. */
const ownModel: ByCategory = {
  safety: ['linearizable', 'sequential', 'unique-ids'],
  ordering: ['linearizable', 'sequential', 'prefix-order'],
  durability: ['no-lost-ack'],
}

/** Without a model, besides what fits any. */
const withoutModel: ByCategory = { durability: ['no-lost-ack'] }

/**
 * The checkers that can falsify a claim of the category about an object of the model, the best first.
 *
 * A model that the table does not know is the user's own, and any of these checkers may fit it: then the ones that judge
 * by a model or by what was acknowledged are named. Without a model only checkers that need none are.
 */
export function checkersFor(model: string | null, category: Category): readonly string[] {
  const rows = choices.filter(({ models }) => models === 'any' || (model !== null && models.includes(model)))
  const others = model === null ? withoutModel : knownModels.has(model) ? {} : ownModel
  return [
    ...new Set([...(others[category] ?? []), ...rows.flatMap(({ checkers }) => checkers[category] ?? [])]),
  ]
}

/** Null when the checker fits one of the claims' categories, else why not and which checker does. */
export function misfitOf(
  checker: string,
  { model, categories }: { model: Model | null; categories: readonly Category[] },
): string | null {
  const name = model?.name ?? null
  if (categories.some((category) => checkersFor(name, category).includes(checker))) return null
  const claims = categories.length === 0 ? 'no claims' : `claims about ${categories.join(', ')}`
  const about = name === null ? `${claims} without a model` : `${claims} on the model ${name}`
  const better = [...new Set(categories.flatMap((category) => checkersFor(name, category)))]
  const advice =
    better.length > 0 ? `use ${better.join(' or ')}` : name === null ? 'declare a model' : 'use an invariant'
  return `${checker} does not falsify ${about}; ${advice}`
}
