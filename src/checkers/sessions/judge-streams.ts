import { outcomeOf, type Operation } from '../../history/operation.js'
import type { Anomaly, CheckInput } from '../checker.js'
import type { Judgement } from '../define.js'
import { shown, tell } from '../words.js'
import { streamOf, type Delivery } from './stream.js'
import { isBefore, type Version } from './version.js'

/** Anomalies that are put in words. */
const told = 50

/** How far the stream of one process and key has come, and by which operation. */
interface Position {
  reached: Version
  by: Operation
}

/**
 * Whether what each process was delivered of a key's stream never travels back: not below what it had reached, and not
 * below where it asked to begin. An operation that asks to begin further back begins there again. The same revision may
 * come again right after itself: several events may share one.
 */
export function judgeStreams({ operations }: Pick<CheckInput, 'operations'>): Judgement {
  const positions = new Map<Operation['process_id'], Map<Operation['key'], Position>>()
  const anomalies: Anomaly[] = []
  let [consumed, delivered, broken] = [0, 0, 0]
  for (const operation of operations) {
    const delivery = outcomeOf(operation) === 'ok' ? streamOf(operation) : null
    if (delivery === null) continue
    consumed += 1
    delivered += delivery.revisions.length
    const ofProcess = positions.get(operation.process_id) ?? new Map<Operation['key'], Position>()
    positions.set(operation.process_id, ofProcess)
    const { position, back } = follow(operation, delivery, ofProcess.get(operation.key))
    if (position !== undefined) ofProcess.set(operation.key, position)
    if (back === null) continue
    broken += 1
    if (anomalies.length < told) anomalies.push(back)
  }
  return {
    consumed,
    anomalies,
    untold: broken - anomalies.length,
    evidence: { deliveries: consumed, revisions: delivered },
  }
}

function follow(
  operation: Operation,
  { revisions, from }: Delivery,
  before: Position | undefined,
): { position: Position | undefined; back: Anomaly | null } {
  let position = from === null ? before : { reached: from, by: operation }
  let back: Anomaly | null = null
  for (const revision of revisions) {
    if (position !== undefined && isBefore(revision, position.reached)) {
      back ??= travelsBack(operation, revision, position)
      continue
    }
    position = { reached: revision, by: operation }
  }
  return { position, back }
}

function travelsBack(operation: Operation, revision: Version, { reached, by }: Position): Anomaly {
  const what =
    by === operation
      ? `after ${shown(reached)}, which it had delivered or was asked for`
      : `after ${tell(by)} had come to ${shown(reached)}`
  return {
    type: 'travels-back',
    explanation: `${tell(operation)} delivered ${shown(revision)} ${what}`,
    operations: by === operation ? [operation.op_id] : [by.op_id, operation.op_id],
  }
}
