import { z } from 'zod'
import { AnomalyList, allOf } from '../../anomaly-list.js'
import type { Anomaly, Checker, CheckInput } from '../../checker.js'
import { checkedOptions } from '../../checked-options.js'
import { defineChecker, type Judgement } from '../../define.js'
import { logHistory, type LogRead } from '../../logs/log-history.js'
import { OffsetClaims } from '../../logs/offset-claims.js'
import { shown, tell } from '../../words.js'
import { queueTraffic } from '../queue-traffic.js'
import { inOrder, valueOf } from '../strays.js'
import { groupsOfLog, groupsOfQueue } from './groups-of.js'
import { overtaken, overtakersOf, type Overtaken } from './overtaking.js'
import { misplaced, type Misplaced } from './streams.js'
import type { Group, Per, Transit } from './transit.js'

export interface PrefixOrderOptions {
  /** How many later elements may overtake one. Default 0. */
  readonly window?: number
  /**
   * `producer` (default): the elements that one process put under one key keep their order. `key`: all elements of a key
   * do, as far as one was put in before the other was begun.
   */
  readonly per?: Per
}

const schema = z.strictObject({
  window: z.int().nonnegative().default(0),
  per: z.enum(['producer', 'key']).default('producer'),
})

/**
 * Order: what went in first comes out first, of queues; stands at the lower offset, of logs; and consumers see prefixes.
 *
 * An element is overtaken by another that was put in after its put had returned, and that came out before it began to
 * come out; operations that overlap may have happened in either order. Of an element that comes out several times the
 * first counts. More than `window` overtakings are a violation. Each answer of a read or watch of a log lists growing
 * offsets, with the same window, none before the position asked for, and what an offset holds never differs.
 * Nothing is missed here: an element that never comes out breaks no order. Throws DeclarationError when the options are
 * wrong.
 */
export function prefixOrder(options: PrefixOrderOptions = {}): Checker {
  const rules = checkedOptions(options, {
    checker: 'prefix-order',
    factory: 'prefixOrder',
    schema,
    example: 'prefixOrder({ window: 10 })',
  })
  return defineChecker({
    name: 'prefix-order',
    pattern: 9,
    options,
    needs: ['invoke_ts', 'complete_ts', 'op_type', 'process_id', 'timeout_marker'],
    scope: [
      'losses, duplicates and elements that nobody put in',
      'order across keys, of what was there at first, and, but for `per: "key"`, across producers',
      'disorder while operations overlap, or of puts whose outcome is unknown',
      'an order that no single element shows: each is held against the others by itself',
    ],
    // How far elements must be apart to be out of order depends on the window.
    forbids: rules.window > 0 ? [] : undefined,
    judge: (input) => judge(input, rules),
  })
}

function judge(input: CheckInput, { window, per }: { window: number; per: Per }): Judgement {
  const traffic = queueTraffic(input)
  const history = logHistory(input)
  const overtakings = new AnomalyList()
  const conflicts = new AnomalyList()
  const disorder = new AnomalyList()
  const counts = { groups: 0, elements: 0, reads: 0, records: 0 }
  let ambiguous = 0
  const judgeGroups = (groups: readonly Group[], isLog: boolean) => {
    for (const group of groups) {
      counts.groups += 1
      counts.elements += group.possible.length
      const found = overtaken(group.certain, window)
      for (const one of found) overtakings.add(() => overtakenAnomaly(one, { group, window, isLog }))
      if (found.length === 0 && group.isAmbiguous) ambiguous += overtaken(group.possible, window).length
    }
  }
  for (const queue of traffic.queues) {
    judgeGroups(groupsOfQueue(queue, { initial: traffic.initial, per }), false)
  }
  for (const log of history.logs) {
    judgeGroups(groupsOfLog(log, { initial: history.initial, per }), true)
    counts.reads += log.reads.length
    for (const { offsets } of log.reads) counts.records += offsets.length
    conflictsIn(log.reads, conflicts)
    for (const one of misplaced(log.reads, window)) disorder.add(() => misplacedAnomaly(one, window))
  }
  return {
    consumed: counts.elements + counts.records === 0 ? 0 : traffic.count + history.count,
    ...allOf([overtakings, conflicts, disorder]),
    undecided:
      ambiguous === 0
        ? null
        : `${ambiguous} elements are equal to others and may be out of order: put distinct values in`,
    evidence: {
      ...counts,
      overtaken: overtakings.count,
      misplaced: disorder.count,
      conflicts: conflicts.count,
    },
  }
}

function overtakenAnomaly(
  { passage, count }: Overtaken<Transit>,
  { group, window, isLog }: { group: Group; window: number; isLog: boolean },
): Anomaly {
  const others = overtakersOf(passage, { among: group.certain, count: window + 1 })
  const { put, out } = passage.source
  const [first = passage] = others
  const later = first.source
  const where =
    isLog || out === null || later.out === null
      ? `it stands at offset ${passage.outFrom}, behind the later one at ${first.outFrom}`
      : `operation ${shown(out.op_id)} took it only after operation ${shown(later.out.op_id)} had taken the later one`
  const more = count > 1 ? `; ${count} later ones overtook it in all` : ''
  const allowed = window > 0 ? ` and ${window} may` : ''
  return {
    type: 'overtaken-element',
    explanation: `${tell(put)} had returned before ${tell(later.put)} began, but ${where}${more}${allowed}`,
    operations: inOrder(
      [passage, ...others].flatMap(({ source }) =>
        source.out === null ? [source.put] : [source.put, source.out],
      ),
    ),
  }
}

/** Two reads that show different entries at one offset: not both can be of a prefix of one log. */
function conflictsIn(reads: readonly LogRead[], conflicts: AnomalyList): void {
  const claims = new OffsetClaims()
  for (const { operation, offsets, values } of reads) {
    for (const [i, value] of (values ?? []).entries()) {
      const offset = offsets[i] as number
      const first = claims.add(offset, { value, by: operation })
      if (first === null || first.by === null) continue
      const { by } = first
      conflicts.add(() => ({
        type: 'no-common-prefix',
        explanation:
          `At offset ${offset} ${tell(by)} shows ${valueOf(first.value)} and ${tell(operation)} shows ` +
          `${valueOf(value)}: they do not read prefixes of one log`,
        operations: inOrder([by, operation]),
      }))
    }
  }
}

function misplacedAnomaly({ read, offset, after, from }: Misplaced, window: number): Anomaly {
  if (after === null) {
    return {
      type: 'record-before-position',
      explanation: `${tell(read)} answered offset ${offset}, although it asked for those from ${from} on`,
      operations: [read.op_id],
    }
  }
  const allowed = window > 0 ? `; more than the ${window} that may have overtaken it` : ''
  const where = after.read === read ? '' : `, which ${tell(after.read)} had shown`
  return {
    type: 'records-out-of-order',
    explanation: `${tell(read)} answered offset ${offset} after ${after.offset}${where}${allowed}`,
    operations: inOrder([after.read, read]),
  }
}
