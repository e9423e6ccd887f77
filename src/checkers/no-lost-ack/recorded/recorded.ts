import type { Model } from '../../../models/model.js'
import type { Operation } from '../../../history/operation.js'
import { outcomeOf } from '../../../history/operation.js'
import type { CheckInput } from '../../checker.js'
import type { Judgement } from '../../define.js'
import { checkersFor } from '../../picker.js'
import { isTake } from '../../queues/queue-traffic.js'
import type { LossRules } from '../options.js'
import { judgeRecordedLogs } from './logs.js'
import { judgeRecordedQueues } from './queues.js'
import { judgeRecordedReads } from './reads.js'

/** Judges a history alone: by what its own operations show at the end. */
export function judgeRecorded(input: CheckInput, rules: LossRules): Judgement {
  const { model, operations } = input
  if (model !== null && !checkersFor(model.name, 'durability').includes('no-lost-ack')) {
    return {
      consumed: 0,
      anomalies: [],
      undecided: `no-lost-ack does not know which reads show what was written to a ${model.name}`,
      evidence: {},
    }
  }
  switch (kindOf(operations, model)) {
    case 'queue':
      return judgeRecordedQueues(input, rules)
    case 'log':
      return judgeRecordedLogs(input)
    case 'reads':
      return judgeRecordedReads(input, rules)
  }
}

/** What a history is of: by its model, or, when that is the user's own, by its operations. */
function kindOf(operations: readonly Operation[], model: Model | null): 'queue' | 'log' | 'reads' {
  const name = model?.name
  if (name === 'log') return 'log'
  if (name === 'queue' || name === 'stack' || name === 'priority-queue') return 'queue'
  if (name === 'set' || name === 'register' || name === 'cas-register' || name === 'map') return 'reads'
  if (operations.some(hasRecords)) return 'log'
  return operations.some(({ op_type: type }) => isTake(type)) ? 'queue' : 'reads'
}

function hasRecords(operation: Operation): boolean {
  const { output } = operation
  return (
    typeof output === 'object' &&
    output !== null &&
    !Array.isArray(output) &&
    Array.isArray(output['records']) &&
    outcomeOf(operation) === 'ok'
  )
}
