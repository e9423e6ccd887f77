import type { Checker } from '../../checkers/checker.js'
import type { Operation } from '../../history/operation.js'
import { canonical } from '../../models/canonical.js'
import type { Model } from '../../models/model.js'
import { accessesBy, versionedAccesses } from './ties/accesses.js'
import { containers, trafficByValues } from './ties/containers.js'
import { elements } from './ties/elements.js'
import { everythingBefore } from './ties/everything-before.js'
import { holds } from './ties/holds.js'
import type { Ties } from './ties/ties.js'
import { writtenValues } from './ties/written-values.js'

/** What may be left out of a history for a checker. */
export interface Rules {
  /**
   * `history`: a closed part of a history that holds, holds. `anomaly`: that is not known, so only what the checker itself
   * named is made smaller.
   */
  readonly reach: 'history' | 'anomaly'
  /** What comes after a state that an answer shows, holds from that state on when the history holds. */
  readonly mayBeginLater?: true
  ties(history: readonly Operation[]): Ties
}

type RulesBy = (model: Model | null) => Rules

const anomalyOnly: Rules = { reach: 'anomaly', ties: () => ({ causesOf: () => [] }) }

const ofModel =
  (inRealTime: boolean): RulesBy =>
  (model) =>
    model === null
      ? anomalyOnly
      : { reach: 'history', ties: (history) => tiesOfModel(history, { model, inRealTime }) }

const ofSessions: RulesBy = (model) => {
  const accessesOf = model === null || model.name === 'session' ? versionedAccesses : accessesBy(model)
  if (accessesOf === undefined) return anomalyOnly
  return { reach: 'history', ties: (history) => writtenValues(history, { accessesOf, inRealTime: false }) }
}

const ofElements: RulesBy = (model) =>
  startsEmpty(model)
    ? { reach: 'history', ties: (history) => containers(history, { trafficOf: trafficByValues }) }
    : anomalyOnly

const ofHolds: RulesBy = () => ({ reach: 'history', ties: holds })

const ofCounters: RulesBy = (model) => (model?.name === 'counter' ? ofModel(true)(model) : anomalyOnly)

const byChecker: Readonly<Record<string, RulesBy>> = {
  linearizable: (model) => ({ ...ofModel(true)(model), mayBeginLater: true }),
  sequential: ofModel(false),
  // Of registers and logs, what was lost is told by what was found in its place.
  'no-lost-ack': (model) =>
    model === null || model.object?.type === 'set' || isContainer(model) ? ofElements(model) : anomalyOnly,
  'total-queue': ofElements,
  'no-duplicates': ofElements,
  'no-unexpected': ofElements,
  'prefix-order': ofElements,
  'log-offsets': () => anomalyOnly,
  set: () => anomalyOnly,
  'set-full': () => anomalyOnly,
  'unique-ids': () => anomalyOnly,
  counter: ofCounters,
  'session-consistency': ofSessions,
  'read-your-writes': ofSessions,
  'monotonic-reads': ofSessions,
  'monotonic-writes': ofSessions,
  'writes-follow-reads': ofSessions,
  'bounded-staleness': ofSessions,
  'mutual-exclusion': ofHolds,
  'fencing-tokens': () => anomalyOnly,
  'lease-exclusion': () => anomalyOnly,
  'one-leader-per-term': () => anomalyOnly,
  'bank-total': () => anomalyOnly,
  'exactly-once': () => anomalyOnly,
  'at-least-once': () => anomalyOnly,
  'long-fork': () => anomalyOnly,
}

/**
 * What may be left out for a checker; null when it judges figures of the whole, or when nothing is known of it. A checker
 * of the user's own that judges by a model is taken for one of linearizability.
 */
export function rulesFor(
  { name, usesModel }: Pick<Checker, 'name' | 'usesModel'>,
  model: Model | null,
): Rules | null {
  const known = Object.hasOwn(byChecker, name) ? byChecker[name] : undefined
  if (known !== undefined) return known(model)
  return usesModel && model !== null && name !== 'differential' ? ofModel(true)(model) : null
}

function tiesOfModel(
  history: readonly Operation[],
  { model, inRealTime }: { model: Model; inRealTime: boolean },
): Ties {
  const accessesOf = accessesBy(model)
  if (accessesOf !== undefined) return writtenValues(history, { accessesOf, inRealTime })
  const ofKind = Object.hasOwn(byKind, model.name) && startsEmpty(model) ? byKind[model.name] : undefined
  return ofKind?.(history, model) ?? everythingBefore(history, { model, inRealTime })
}

/** Null when the history has something that the ties of its kind do not know. */
const byKind: Readonly<Record<string, (history: readonly Operation[], model: Model) => Ties | null>> = {
  queue: ofContainer,
  stack: ofContainer,
  'priority-queue': ofContainer,
  set: elements,
  lock: holds,
  semaphore: holds,
}

/** A take that was answered and does not say what it took may stand for any element. */
function ofContainer(history: readonly Operation[], model: Model): Ties | null {
  const isBlind = ({ output, error, complete_ts: completed, input }: Operation) =>
    input === null && output === null && error === null && completed !== null
  if (model.semantics.nullRead === 'unknown' && history.some(isBlind)) return null
  return containers(history, { trafficOf: trafficByValues })
}

function isContainer({ name }: Model): boolean {
  return byKind[name] === ofContainer
}

function startsEmpty(model: Model | null): boolean {
  const init = model?.semantics.init ?? null
  return init === null || !Array.isArray(init) || canonical(init) === '[]'
}
