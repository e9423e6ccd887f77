import type { Anomaly } from '../checker.js'
import type { FinalRead } from './final-reads.js'
import type { Write } from './writes.js'

/** What a final read shows: nothing wrong, or the acknowledged writes that it shows to be lost, or a stray value. */
export interface Finding {
  readonly lost: readonly Write[]
  readonly anomaly: Anomaly | null
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
export function judgeRegister(
  read: FinalRead & { readonly text: string },
  { writes, initial, key }: { writes: readonly Write[]; initial: string; key: string },
): Finding {
  const acknowledged = writes.filter(({ outcome }) => outcome === 'ok')
  const latestBegin = maxOf(acknowledged.map(({ invoke }) => invoke))
  const candidates = writes.filter(({ outcome, value }) => outcome !== 'failed' && value === read.text)
  if (candidates.some(({ complete }) => complete >= latestBegin)) return nothingWrong
  if (read.text === initial && acknowledged.length === 0) return nothingWrong

  const where = `${key}on ${read.node}`
  if (candidates.length === 0 && read.text !== initial) {
    const failed = writes.find(({ outcome, value }) => outcome === 'failed' && value === read.text)
    const hint = failed
      ? `; operation ${id(failed)}, which wrote it, is recorded as failed: was that a timeout?`
      : ''
    return {
      lost: [],
      anomaly: {
        type: 'unexpected-value',
        explanation: `The final value ${where} is ${read.text}, which no operation is known to have written${hint}`,
        operations: failed ? [failed.operation.op_id] : [],
      },
    }
  }
  const lost = acknowledged.filter(({ complete }) => complete >= latestBegin)
  const older = candidates.at(-1)
  const what = older ? `${read.text}, from operation ${id(older)},` : `${read.text}, as before any write,`
  return {
    lost,
    anomaly: {
      type: 'lost-acknowledged-write',
      explanation:
        `The final value ${where} is ${what} although ${lost.map(tell).join(' and ')} had been acknowledged` +
        (older ? ' and began after that one had returned' : ''),
      operations: lost.map(({ operation }) => operation.op_id),
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
