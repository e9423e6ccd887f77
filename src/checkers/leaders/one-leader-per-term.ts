import { z } from 'zod'
import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Json } from '../../json.js'
import { AnomalyList, allOf } from '../anomaly-list.js'
import { checkedOptions } from '../checked-options.js'
import type { Anomaly, Checker } from '../checker.js'
import { defineChecker, type Judgement } from '../define.js'
import { fieldOf } from '../field-of.js'
import { shown, tell } from '../words.js'

const name = 'one-leader-per-term'

/** Operation types by which the node that answers says that it leads. */
const elections = new Set(['leader', 'elected', 'became-leader'])

export interface OneLeaderPerTermOptions {
  /** Where the leader stands in an output, as a field or dotted path. Default: leader. */
  readonly leader?: string
  /** Where the term (epoch, view, ballot) stands in an output, as a field or dotted path. Default: term. */
  readonly term?: string
  /**
   * `key` (default): every key is a group with terms of its own, such as a shard. `history`: one group, whatever the key
   * that an operation was about.
   */
  readonly group?: 'key' | 'history'
}

const path = z.string().min(1).optional()
const schema = z.strictObject({ leader: path, term: path, group: z.enum(['key', 'history']).optional() })

/**
 * Never two leaders in one term.
 *
 * Every answered operation whose output has a leader and a term is an observation, whatever its type. In an operation of
 * type `leader`, `elected` or `became-leader` the output may lack the leader: then the node that answered is meant
 * (`node_seen`). No leader (null) is no observation. When something was observed makes no difference. O(n).
 * Throws DeclarationError when the options are wrong.
 */
export function oneLeaderPerTerm(options: OneLeaderPerTermOptions = {}): Checker {
  const rules = checkedOptions(options, {
    checker: name,
    factory: 'oneLeaderPerTerm',
    schema,
    example: "oneLeaderPerTerm({ leader: 'leaderId', term: 'raftTerm' })",
  })
  const paths = { leader: rules.leader ?? 'leader', term: rules.term ?? 'term' }
  return defineChecker({
    name,
    pattern: 2,
    options,
    needs: ['op_type', 'output'],
    scope: [
      'leaders that nobody observed',
      'an old leader that goes on serving in its own term after a new one was elected',
      'terms that go back',
    ],
    judge: ({ operations }) => judge(operations, { ...paths, isByKey: rules.group !== 'history' }),
  })
}

interface Rules {
  readonly leader: string
  readonly term: string
  readonly isByKey: boolean
}

interface Observed {
  readonly leader: Json
  readonly term: string | number
}

/** Who was seen first to lead in a term, and whether somebody else was seen too. */
interface Reign {
  readonly by: Operation
  readonly leader: Json
  isDisputed: boolean
}

function judge(operations: readonly Operation[], rules: Rules): Judgement {
  const groups = new Map<Operation['key'], Map<string | number, Reign>>()
  const disputed = new AnomalyList()
  const counts = { observations: 0, terms: 0 }
  for (const operation of operations) {
    const observed = observedBy(operation, rules)
    if (observed === null) continue
    counts.observations += 1
    const group = rules.isByKey ? operation.key : null
    const terms = groups.get(group) ?? new Map<string | number, Reign>()
    groups.set(group, terms)
    const reign = terms.get(observed.term)
    if (reign === undefined) {
      counts.terms += 1
      terms.set(observed.term, { by: operation, leader: observed.leader, isDisputed: false })
    } else if (!reign.isDisputed && !isSame(reign.leader, observed.leader)) {
      reign.isDisputed = true
      disputed.add(() => anomalyOf(reign, { operation, observed }))
    }
  }
  return {
    consumed: counts.observations,
    ...allOf([disputed]),
    evidence: {
      observations: counts.observations,
      groups: groups.size,
      terms: counts.terms,
      disputed: disputed.count,
    },
  }
}

function observedBy(operation: Operation, { leader: leaderPath, term: termPath }: Rules): Observed | null {
  const { op_type: type, output, node_seen: node } = operation
  if (output === null || outcomeOf(operation) !== 'ok') return null
  const term = fieldOf(output, termPath)
  if (typeof term !== 'number' && typeof term !== 'string') return null
  const named = fieldOf(output, leaderPath)
  const leader = named === undefined && elections.has(type) ? node : (named ?? null)
  return leader === null ? null : { leader, term }
}

function isSame(one: Json, other: Json): boolean {
  return one === other || (typeof one === 'object' && JSON.stringify(one) === JSON.stringify(other))
}

function anomalyOf(
  { by, leader }: Reign,
  { operation, observed }: { operation: Operation; observed: Observed },
): Anomaly {
  return {
    type: 'two-leaders',
    explanation: `in term ${shown(observed.term)} ${tell(by)} showed ${shown(leader)} as the leader and ${tell(operation)} showed ${shown(observed.leader)}.`,
    operations: [by, operation].toSorted((a, b) => a.invoke_ts - b.invoke_ts).map(({ op_id: id }) => id),
  }
}
