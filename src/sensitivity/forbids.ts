import { DeclarationError } from '../errors.js'
import type { Checker } from '../checkers/checker.js'
import type { Model } from '../models/model.js'
import type { CleanHistory, Mutation } from './mutation.js'
import { mutations } from './mutations/index.js'

type Names = readonly string[]

const values = [
  'stale-read',
  'future-read',
  'read-goes-back',
  'own-write-unseen',
  'own-write-missed',
  'unwritten-read',
]
const containers = ['takes-swapped', 'take-duplicated', 'take-unknown', 'false-empty', 'element-skipped']
const lists = ['record-missing', 'records-reordered', 'record-unknown']
const finals = ['acknowledged-write-dropped', 'final-unwritten']

/** What linearizability of an object of the model forbids. */
const byModel: Readonly<Record<string, Names>> = {
  'multi-register': values,
  'rw-register': values,
  session: values,
  queue: containers,
  stack: containers,
  'priority-queue': containers,
  log: [...lists, 'record-unreadable', 'offset-reused'],
  'list-append': lists,
  set: ['element-missing', 'element-unknown', 'element-vanished'],
  'kv-string-append': ['append-missing', 'text-unknown'],
  counter: ['read-out-of-bounds'],
  lock: ['holders-overlap'],
  semaphore: ['holders-overlap'],
  lease: ['token-not-growing'],
  ledger: ['total-broken', 'balance-out-of-bounds'],
  'membership-table': ['element-missing', 'element-unknown', 'element-vanished'],
}

/** What no order of the sessions' operations explains either, whenever they happened. */
const inAnyOrder: ReadonlySet<string> = new Set([
  'read-goes-back',
  'own-write-unseen',
  'own-write-missed',
  'unwritten-read',
  'take-duplicated',
  'take-unknown',
  'record-unknown',
  'offset-reused',
  'element-unknown',
  'text-unknown',
  'total-broken',
])

/** What the checkers that ship with the product forbid, as they are without options that change it. */
const byChecker: Readonly<Record<string, (history: CleanHistory) => Names>> = {
  linearizable: ({ model }) => ofModel(model),
  sequential: ({ model }) => ofModel(model).filter((name) => inAnyOrder.has(name)),
  'no-lost-ack': ({ collected }) => (collected === null ? ['element-vanished', 'delivery-lost'] : finals),
  'total-queue': () => ['take-duplicated', 'take-unknown', 'delivery-lost'],
  'no-duplicates': () => ['take-duplicated'],
  'no-unexpected': () => ['take-unknown'],
  'prefix-order': () => ['producer-overtaken'],
  'log-offsets': () => ['offset-reused'],
  set: ({ collected }) => (collected === null ? ['element-vanished'] : finals),
  'set-full': () => ['element-vanished', 'element-unknown'],
  'unique-ids': () => ['id-repeated'],
  counter: () => ['read-out-of-bounds'],
  'session-consistency': () => ['read-goes-back', 'own-write-unseen', 'own-write-missed'],
  // Without versions this guarantee alone does not order what a session wrote.
  'read-your-writes': ({ model }) => [model?.name === 'session' ? 'own-write-unseen' : 'own-write-missed'],
  'monotonic-reads': () => ['read-goes-back'],
  'mutual-exclusion': () => ['holders-overlap'],
  'fencing-tokens': () => ['token-not-growing', 'stale-token-accepted'],
  'lease-exclusion': () => ['holders-overlap'],
  'one-leader-per-term': () => ['two-leaders'],
  'bank-total': () => ['total-broken'],
  'exactly-once': ({ collected }) => [collected === null ? 'take-duplicated' : 'effect-duplicated'],
  reconciliation: () => ['replica-differs'],
  'replay-equivalence': () => ['replica-differs'],
}

/** Why no mutants are made for the others, by their names. */
const unknownFor: Readonly<Record<string, string>> = {
  'monotonic-writes': 'its violations need versions that a mutant would have to make up',
  'writes-follow-reads': 'its violations need versions that a mutant would have to make up',
  'bounded-staleness': 'how stale is too stale is the bound of the checker',
  'at-least-once': 'what a lost effect looks like depends on how its effects are read',
  'long-fork': 'no change of one read is surely a fork',
  differential: 'what the reference answers is its own',
  slo: 'what is too slow is the objective of the checker',
  baseline: 'it judges all runs together',
  fairness: 'what is unfair is the formula of the checker',
  availability: 'what is unavailable is the objective of the checker',
}

/**
 * Checkers of claims that hold for the beginning of a history, and for one of its objects, whenever they hold for the
 * whole: what is a violation in such a part is one in the whole.
 */
const closed: ReadonlySet<string> = new Set([
  'linearizable',
  'sequential',
  'session-consistency',
  'monotonic-reads',
  'read-your-writes',
  'no-duplicates',
  'no-unexpected',
  'counter',
  'mutual-exclusion',
  'lease-exclusion',
  'fencing-tokens',
])

/** What is known of a checker's claim. */
export interface Forbidden {
  readonly mutations: readonly Mutation[]
  /** Why there are none. */
  readonly reason: string | null
  /** A violation in the beginning of what happened to one object is one in the whole history. */
  readonly isClosed: boolean
  /** It is one of ours, whose answers about the objects of a history are known to be apart. */
  readonly areApart: boolean
}

/** Checkers that tell violations of different objects apart. */
const apart: ReadonlySet<string> = new Set([
  'linearizable',
  'no-duplicates',
  'no-unexpected',
  'counter',
  'mutual-exclusion',
  'lease-exclusion',
  'fencing-tokens',
])

const unclear = { isClosed: false, areApart: false }

/**
 * The mutations that a checker must notice in a history that it found clean, or why none is known: those that it names
 * itself, else those of the checker by its name, else of one that judges by a model what linearizability by it forbids.
 *
 * Throws DeclarationError when the checker names a mutation that does not exist.
 */
export function forbiddenBy(
  checker: Pick<Checker, 'name' | 'usesModel' | 'forbids'>,
  history: CleanHistory,
): Forbidden {
  if (checker.forbids !== undefined) {
    const reason = checker.forbids.length > 0 ? null : `${checker.name} says that it forbids no mutation`
    return { mutations: checker.forbids.map((name) => mutationNamed(name)), reason, ...unclear }
  }
  const known = Object.hasOwn(byChecker, checker.name) ? byChecker[checker.name] : undefined
  const why = Object.hasOwn(unknownFor, checker.name) ? unknownFor[checker.name] : undefined
  if (known === undefined && (why !== undefined || !checker.usesModel)) {
    const reason = `no mutants for ${checker.name}: ${why ?? 'it does not say in `forbids` what it forbids'}`
    return { mutations: [], reason, ...unclear }
  }
  const names = known === undefined ? ofModel(history.model) : known(history)
  const model = history.model === null ? 'without a model' : `by the model ${history.model.name}`
  const reason = names.length > 0 ? null : `no mutation is known of what ${checker.name} forbids ${model}`
  // A checker of the user's own that judges by a model is taken for one of linearizability.
  const isClosed = known === undefined || closed.has(checker.name)
  const isByKey = history.model === null || history.model.partition === 'key'
  // Where only the search can decide, it ends at the first object that it refutes.
  const isSearched = checker.name === 'linearizable' && history.model?.object === undefined
  const areApart = known !== undefined && apart.has(checker.name) && isByKey && !isSearched
  return { mutations: names.map((name) => mutationNamed(name)), reason, isClosed, areApart }
}

/** Throws DeclarationError, which says `where`, when the checker names a mutation that does not exist. */
export function validateForbids({ forbids = [] }: Pick<Checker, 'forbids'>, where: string): void {
  for (const name of forbids) mutationNamed(name, `${where}: `)
}

function ofModel(model: Model | null): Names {
  if (model === null) return []
  return byModel[model.name] ?? (model.registerAction === undefined ? [] : values)
}

function mutationNamed(name: string, where = ''): Mutation {
  const found = mutations.find((mutation) => mutation.name === name)
  if (found) return found
  throw new DeclarationError('mutation', `${where}there is no mutation ${JSON.stringify(name)}`, {
    hint: `mutations are ${mutations.map((mutation) => mutation.name).join(', ')}`,
  })
}
