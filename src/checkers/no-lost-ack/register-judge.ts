import { canonical } from '../../models/canonical.js'
import type { Anomaly } from '../checker.js'
import { placeOf, readsIn, type FinalAnswer } from './answer.js'
import type { Findings } from './findings.js'
import { grouped } from '../grouped.js'
import type { Write } from './writes.js'

/** What a final answer shows: nothing wrong, or the acknowledged writes that it shows to be lost, or a stray value. */
interface Finding {
  readonly lost: readonly Write[]
  readonly anomaly: Anomaly | null
}

/** The final answers of one key that are the same. */
interface SameAnswers {
  /** The value as canonical JSON. */
  readonly text: string
  readonly answers: readonly FinalAnswer[]
}

const nothingWrong: Finding = { lost: [], anomaly: null }

/**
 * Judges the final value of a register: it must be one that a legal order of the writes could leave.
 *
 * That is the value of an acknowledged write, or of one of unknown outcome, unless some acknowledged write began after
 * that one had returned; and the initial value only when no write was acknowledged. Two writes that overlapped may have
 * taken effect in either order, so either may be last. `lost` are the acknowledged writes that no acknowledged write
 * followed: one of them should have been there.
 */
function judgeRegister(
  { text, answers }: SameAnswers,
  { writes, initial, key }: { writes: readonly Write[]; initial: string; key: string },
): Finding {
  const acknowledged = writes.filter(({ outcome }) => outcome === 'ok')
  const latestBegin = maxOf(acknowledged.map(({ invoke }) => invoke))
  const candidates = writes.filter(({ outcome, value }) => outcome !== 'failed' && value === text)
  if (candidates.some(({ complete }) => complete >= latestBegin)) return nothingWrong
  if (text === initial && acknowledged.length === 0) return nothingWrong

  const where = `${key}${placeOf(answers)}`
  if (candidates.length === 0 && text !== initial) {
    const failed = writes.find(({ outcome, value }) => outcome === 'failed' && value === text)
    const hint = failed
      ? `; operation ${id(failed)}, which wrote it, is recorded as failed: was that a timeout?`
      : ''
    return {
      lost: [],
      anomaly: {
        type: 'unexpected-value',
        explanation: `The final value ${where} is ${text}, which no operation is known to have written${hint}`,
        operations: [...(failed ? [failed.operation.op_id] : []), ...readsIn(answers)],
      },
    }
  }
  const lost = acknowledged.filter(({ complete }) => complete >= latestBegin)
  const older = candidates.at(-1)
  const what = older ? `${text}, from operation ${id(older)},` : `${text}, as before any write,`
  return {
    lost,
    anomaly: {
      type: 'lost-acknowledged-write',
      explanation:
        `The final value ${where} is ${what} although ${lost.map(tell).join(' and ')} had been acknowledged` +
        (older ? ' and began after that one had returned' : ''),
      operations: [...lost.map(({ operation }) => operation.op_id), ...readsIn(answers)],
    },
  }
}

function maxOf(numbers: readonly number[]): number {
  return numbers.reduce((most, number) => Math.max(most, number), -1)
}

function tell(write: Write): string {
  return `${write.operation.op_type}(${write.value}) (operation ${id(write)})`
}

function id({ operation }: Write): string {
  return JSON.stringify(operation.op_id)
}

/** Judges each distinct answer of one key once; answers that are the same are named together. */
export function judgeValues(
  answers: readonly FinalAnswer[],
  { from, ...given }: { writes: readonly Write[]; initial: string; from: 'each' | 'any'; key: string },
  findings: Findings,
): void {
  const found = [...grouped(answers, ({ value }) => canonical(value))].map(([text, same]) =>
    judgeRegister({ text, answers: same }, given),
  )
  if (from === 'any' && found.some(({ anomaly }) => anomaly === null)) return
  for (const { lost, anomaly } of found) {
    for (const { operation } of lost) findings.lost.add(operation)
    if (anomaly !== null) findings.losses.add(() => anomaly)
  }
}
