import { canonical } from '../../models/canonical.js'
import type { CheckInput } from '../checker.js'
import type { Judgement } from '../define.js'
import { allOf } from '../anomaly-list.js'
import type { FinalAnswer } from './answer.js'
import { findStrays, judgeCollection, removalsOf } from './collection-judge.js'
import { finalReadsSchema, type FinalRead } from './final-reads.js'
import { Findings } from './findings.js'
import { grouped } from '../grouped.js'
import type { LossRules } from './options.js'
import { judgeValues } from './register-judge.js'
import { addsUp, writesOf } from './writes.js'

/** Judges what was read from the system itself at quiescence. */
export function judgeLive(input: CheckInput, { from, types }: LossRules): Judgement {
  const parsed = finalReadsSchema.safeParse(input.collected)
  const finals = parsed.success ? parsed.data : []
  const answered = finals.filter(({ error }) => error === null)
  const isCollection = answered.some(({ value }) => Array.isArray(value))
  const touching = input.operations.filter(
    ({ op_type: type }) => types.writes.has(type) || types.removes.has(type),
  )
  const findings = new Findings()
  const outcomes = { ok: 0, failed: 0, unknown: 0 }
  const keysRead = grouped(answered, ({ key }) => key)
  const initial = canonical(input.model?.semantics.init ?? null)
  let unfit = 0
  const operationsOf = grouped(touching, ({ key }) => key)
  for (const operations of operationsOf.values()) {
    for (const { outcome } of writesOf(operations, { types, removesWriteNull: !isCollection })) {
      outcomes[outcome] += 1
    }
  }
  for (const [key, reads] of keysRead) {
    const operations = operationsOf.get(key) ?? []
    const writes = writesOf(operations, { types, removesWriteNull: !isCollection })
    const answers = reads.map(answerOf)
    const keyName = key === null ? null : `key ${JSON.stringify(key)} `
    if (isCollection) {
      const name = keyName === null ? '' : `under ${keyName}`
      const removals = removalsOf(operations, types)
      judgeCollection({ answers, writes, mustShow: () => true, removals, from, key: name }, findings)
      findStrays({ answers, writes, key: name }, findings)
    } else if (addsUp(writes)) unfit += 1
    else
      judgeValues(answers, { writes, initial, from, key: keyName === null ? '' : `of ${keyName}` }, findings)
  }
  return {
    consumed: touching.length,
    ...allOf([findings.losses, findings.strays]),
    undecided: undecidedBy({ findings, finals, acknowledged: outcomes.ok, unfit }),
    evidence: {
      acknowledged: outcomes.ok,
      unknown: outcomes.unknown,
      failed: outcomes.failed,
      lost: findings.lost.size,
      keysRead: keysRead.size,
      finalReads: answered.length,
      failedReads: finals.length - answered.length,
    },
  }
}

function answerOf({ node, value }: FinalRead): FinalAnswer {
  return { node, value, read: null }
}

function undecidedBy({
  findings,
  finals,
  acknowledged,
  unfit,
}: {
  findings: Findings
  finals: readonly FinalRead[]
  acknowledged: number
  unfit: number
}): string | null {
  if (finals.length === 0) return 'there are no final reads: they are made when the system is quiescent'
  const failed = finals.filter(({ error }) => error !== null)
  const [first] = failed
  if (first !== undefined) {
    const { key, node, error } = first
    const where = `${key === null ? '' : `key ${JSON.stringify(key)} `}on ${node}: ${error}`
    return `${failed.length} of ${finals.length} final reads failed, the first ${where}`
  }
  if (acknowledged === 0) return 'no write was acknowledged, so none could be lost'
  if (unfit > 0) return `${unfit} keys were added to, and their final reads are no lists of elements`
  if (findings.takenPerhaps > 0) {
    const missing = `${findings.takenPerhaps} acknowledged elements are missing`
    return `${missing}, and removals of unknown outcome may have taken them`
  }
  return null
}
