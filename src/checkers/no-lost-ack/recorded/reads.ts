import { outcomeOf } from '../../../history/operation.js'
import type { Json } from '../../../json.js'
import { canonical } from '../../../models/canonical.js'
import type { Model } from '../../../models/model.js'
import { allOf } from '../../anomaly-list.js'
import type { CheckInput } from '../../checker.js'
import type { Judgement } from '../../define.js'
import type { FinalAnswer } from '../answer.js'
import { judgeCollection, removalsOf } from '../collection-judge.js'
import { Findings } from '../findings.js'
import { grouped } from '../../grouped.js'
import type { LossRules } from '../options.js'
import { judgeValues } from '../register-judge.js'
import { addsUp, writesOf, type Write } from '../writes.js'
import { lastOf, type Query, queryOf } from './query.js'

/**
 * Judges registers, sets and tables by the history's own reads at the end: of a register those that began after every
 * acknowledged write had returned; of a set the last one, and the ones that overlap it; of a table the same of each
 * query. An acknowledged write is lost when none of them shows it.
 */
export function judgeRecordedReads(input: CheckInput, { types }: LossRules): Judgement {
  const { model } = input
  const reads = input.operations.flatMap((operation) => {
    const query = outcomeOf(operation) === 'ok' ? queryOf(operation, model) : null
    return query === null ? [] : [query]
  })
  const isCollection = model === null || !singleValue(model) ? reads.some(({ elements }) => elements) : false
  const touching = input.operations.filter(
    ({ op_type: type }) => types.writes.has(type) || types.removes.has(type),
  )
  const readsOf = grouped(reads, ({ read }) => read.key)
  const findings = new Findings()
  const outcomes = { ok: 0, failed: 0, unknown: 0 }
  let finalReads = 0
  let unfit = 0
  for (const [key, operations] of grouped(touching, ({ key: one }) => one)) {
    const writes = writesOf(operations, { types, removesWriteNull: !isCollection })
    for (const { outcome } of writes) outcomes[outcome] += 1
    const queries = readsOf.get(key) ?? []
    const name = key === null ? '' : `key ${JSON.stringify(key)} `
    if (isCollection) {
      finalReads += judgeElements(
        { queries, writes, removals: removalsOf(operations, types), name },
        findings,
      )
    } else if (addsUp(writes)) unfit += 1
    else finalReads += judgeLastValue({ queries, writes, model, name }, findings)
  }
  return {
    consumed: touching.length + reads.length,
    ...allOf([findings.losses]),
    coverage: findings.unasked === 0 ? 'all' : 'subset',
    undecided: undecidedBy({ findings, acknowledged: outcomes.ok, finalReads, unfit }),
    evidence: {
      acknowledged: outcomes.ok,
      unknown: outcomes.unknown,
      failed: outcomes.failed,
      lost: findings.lost.size,
      unread: findings.unread,
      unasked: findings.unasked,
      finalReads,
    },
  }
}

function singleValue({ name }: Model): boolean {
  return name === 'register' || name === 'cas-register' || name === 'map'
}

interface Part {
  readonly queries: readonly Query[]
  readonly writes: readonly Write[]
  readonly name: string
}

/** Answers with how many reads were taken for final ones. */
function judgeElements(
  { queries, writes, removals, name }: Part & { removals: ReturnType<typeof removalsOf> },
  findings: Findings,
): number {
  const finals = [...grouped(queries, ({ filter }) => canonical(filter)).values()].map(lastOf)
  const began = finals.map((last) => ({
    filter: last[0]?.filter ?? null,
    at: last.reduce((most, { read }) => Math.max(most, read.invoke_ts), -1),
  }))
  // Rows are told by their id where the queries answer ids.
  const byId = queries.some(({ answersIds }) => answersIds)
  const elements = byId ? writes.map(withId) : writes
  const mustShow = new Set<Write>()
  for (const write of elements) {
    if (write.outcome !== 'ok') continue
    const asking = began.filter(({ filter }) => matches(write.operation.input, filter))
    if (asking.some(({ at }) => at > write.complete)) mustShow.add(write)
    else if (asking.length === 0 && queries.length > 0) findings.unasked += 1
    else findings.unread += 1
  }
  const answers = finals.flat().map(({ value, read }): FinalAnswer => ({ value, node: null, read }))
  if (answers.length === 0) return 0
  judgeCollection(
    {
      answers,
      writes: elements,
      mustShow: (write) => mustShow.has(write),
      removals,
      from: 'any',
      key: name === '' ? '' : `under ${name}`,
    },
    findings,
  )
  return answers.length
}

/** Answers with how many reads were taken for final ones. */
function judgeLastValue(
  { queries, writes, model, name }: Part & { model: Model | null },
  findings: Findings,
): number {
  const acknowledged = writes.filter(({ outcome }) => outcome === 'ok')
  const settled = acknowledged.reduce((latest, { complete }) => Math.max(latest, complete), -1)
  const finals = lastOf(queries.filter(({ read }) => read.invoke_ts > settled))
  if (finals.length === 0) {
    findings.unread += acknowledged.length
    return 0
  }
  const end = finals.reduce((latest, { read }) => Math.max(latest, read.complete_ts ?? latest), -1)
  judgeValues(
    finals.map(({ value, read }) => ({ value, node: null, read })),
    {
      writes: writes.filter(({ invoke }) => invoke <= end),
      initial: canonical(model?.semantics.init ?? null),
      from: 'any',
      key: name === '' ? '' : `of ${name}`,
    },
    findings,
  )
  return finals.length
}

function withId(write: Write): Write {
  const { input } = write.operation
  const id = typeof input === 'object' && input !== null && !Array.isArray(input) ? input['id'] : undefined
  return id === undefined ? write : { ...write, value: canonical(id) }
}

/** Whether a row has every value that the filter asks for. */
function matches(row: Json, filter: Json): boolean {
  if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return true
  if (typeof row !== 'object' || row === null || Array.isArray(row)) return false
  return Object.entries(filter).every(([field, value]) => canonical(row[field] ?? null) === canonical(value))
}

function undecidedBy({
  findings,
  acknowledged,
  finalReads,
  unfit,
}: {
  findings: Findings
  acknowledged: number
  finalReads: number
  unfit: number
}): string | null {
  if (acknowledged === 0) return 'no write was acknowledged, so none could be lost'
  if (unfit > 0) return `${unfit} keys were added to, and no read answers the list of their elements`
  if (finalReads === 0) {
    return 'there are no final reads: the history has none that began after its writes, and none were made at quiescence'
  }
  if (findings.takenPerhaps > 0) {
    return `${findings.takenPerhaps} acknowledged elements are missing, and removals of unknown outcome may have taken them`
  }
  if (findings.unread === 0) return null
  return `${findings.unread} acknowledged writes returned after the last read that could show them had begun`
}
