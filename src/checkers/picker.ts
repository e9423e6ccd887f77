import type { Category } from '../claim/claim.js'
import type { Model } from '../models/model.js'

/** One row: for these models and claims of this category, these checkers, the best first. */
export interface Choice {
  readonly models: readonly string[] | 'any'
  readonly category: Category
  readonly checkers: readonly string[]
}

const singleValue = ['register', 'cas-register', 'map', 'kv-string-append']
const collections = ['set', 'queue', 'log', 'stack']
const queues = ['queue', 'stack', 'priority-queue']

/** The picker: what falsifies which claims about which models. */
export const choices: readonly Choice[] = [
  {
    models: [...singleValue, 'multi-register'],
    category: 'safety',
    checkers: ['linearizable', 'sequential'],
  },
  {
    models: [...singleValue, 'multi-register'],
    category: 'ordering',
    checkers: ['linearizable', 'sequential'],
  },
  { models: ['map', 'multi-register'], category: 'isolation', checkers: ['serializable'] },
  { models: ['multi-register'], category: 'isolation', checkers: ['linearizable'] },
  {
    models: ['list-append', 'rw-register'],
    category: 'isolation',
    checkers: ['serializable', 'linearizable'],
  },
  { models: ['list-append', 'rw-register'], category: 'safety', checkers: ['linearizable', 'sequential'] },
  { models: ['counter'], category: 'safety', checkers: ['linearizable', 'counter', 'invariant'] },
  { models: ['counter'], category: 'durability', checkers: ['counter'] },
  { models: ['set'], category: 'safety', checkers: ['linearizable', 'set-full'] },
  { models: ['set'], category: 'durability', checkers: ['no-lost-ack', 'set-full', 'set'] },
  { models: [...collections, 'priority-queue', 'ledger'], category: 'safety', checkers: ['linearizable'] },
  { models: queues, category: 'safety', checkers: ['total-queue', 'no-duplicates', 'no-unexpected'] },
  { models: ['log'], category: 'safety', checkers: ['log-offsets', 'no-duplicates', 'no-unexpected'] },
  { models: ['queue', 'log'], category: 'ordering', checkers: ['prefix-order', 'linearizable'] },
  { models: ['log'], category: 'ordering', checkers: ['log-offsets'] },
  {
    models: ['log'],
    category: 'durability',
    checkers: ['no-lost-ack', 'log-offsets', 'replay-equivalence'],
  },
  {
    models: [...singleValue, ...collections, 'priority-queue'],
    category: 'durability',
    checkers: ['no-lost-ack'],
  },
  { models: queues, category: 'durability', checkers: ['total-queue'] },
  { models: [...queues, 'log'], category: 'idempotency', checkers: ['no-duplicates'] },
  {
    models: ['session'],
    category: 'safety',
    checkers: [
      'session-consistency',
      'monotonic-reads',
      'read-your-writes',
      'monotonic-writes',
      'writes-follow-reads',
      'bounded-staleness',
    ],
  },
  {
    models: ['session'],
    category: 'ordering',
    checkers: [
      'session-consistency',
      'monotonic-reads',
      'read-your-writes',
      'monotonic-writes',
      'writes-follow-reads',
      'bounded-staleness',
    ],
  },
  { models: singleValue, category: 'safety', checkers: ['bounded-staleness'] },
  { models: ['log'], category: 'ordering', checkers: ['monotonic-reads'] },
  { models: ['ledger'], category: 'idempotency', checkers: ['exactly-once', 'at-least-once'] },
  { models: ['ledger'], category: 'safety', checkers: ['bank-total'] },
  { models: ['ledger'], category: 'isolation', checkers: ['bank-total'] },
  { models: ['ledger'], category: 'durability', checkers: ['at-least-once', 'exactly-once'] },
  { models: [...queues, 'log'], category: 'idempotency', checkers: ['exactly-once', 'at-least-once'] },
  { models: [...queues, 'log'], category: 'durability', checkers: ['at-least-once'] },
  {
    models: ['map', 'multi-register', 'list-append', 'rw-register'],
    category: 'isolation',
    checkers: ['long-fork'],
  },
  { models: ['membership-table'], category: 'membership', checkers: ['reconciliation'] },
  { models: ['lock', 'lease', 'semaphore'], category: 'safety', checkers: ['mutual-exclusion', 'invariant'] },
  {
    models: ['lock', 'semaphore', 'lease', 'membership-table'],
    category: 'safety',
    checkers: ['linearizable'],
  },
  { models: ['lock', 'lease'], category: 'safety', checkers: ['fencing-tokens'] },
  { models: ['lease'], category: 'safety', checkers: ['lease-exclusion'] },
  { models: ['membership-table'], category: 'safety', checkers: ['one-leader-per-term'] },
  { models: 'any', category: 'membership', checkers: ['one-leader-per-term'] },
  { models: 'any', category: 'fairness', checkers: ['fairness'] },
  { models: 'any', category: 'performance-slo', checkers: ['slo', 'baseline'] },
  { models: 'any', category: 'liveness', checkers: ['availability'] },
  { models: 'any', category: 'operational', checkers: ['availability', 'slo'] },
  { models: 'any', category: 'durability', checkers: ['replay-equivalence', 'reconciliation'] },
  { models: 'any', category: 'membership', checkers: ['reconciliation'] },
]

const knownModels = new Set(choices.flatMap(({ models }) => (models === 'any' ? [] : models)))

/**
 * The checkers that can falsify a claim of the category about an object of the model, the best first.
 *
 * A model that the table does not know is the user's own, and any of these checkers may fit it: then the ones that judge
 * by a model or by what was acknowledged are named. Without a model only checkers that need none are.
 */
export function checkersFor(model: string | null, category: Category): readonly string[] {
  if (model === null) return [...new Set(modelFree[category] ?? [])]
  const rows = choices.filter(
    ({ models, category: of }) => of === category && (models === 'any' || models.includes(model)),
  )
  const fitting = rows.flatMap(({ checkers }) => checkers)
  const own = knownModels.has(model) ? [] : (ownModel[category] ?? [])
  return [...new Set([...fitting, ...own])]
}

const ownModel: Partial<Record<Category, readonly string[]>> = {
  safety: ['linearizable', 'sequential', 'unique-ids'],
  ordering: ['linearizable', 'sequential', 'prefix-order'],
  durability: ['no-lost-ack'],
}

const modelFree: Partial<Record<Category, readonly string[]>> = {
  durability: ['no-lost-ack'],
  fairness: ['fairness'],
  'performance-slo': ['slo', 'baseline'],
  liveness: ['availability'],
  operational: ['availability', 'slo'],
  membership: ['reconciliation', 'one-leader-per-term'],
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
