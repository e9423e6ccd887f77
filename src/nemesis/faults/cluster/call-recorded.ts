import type { Evidence } from '../../evidence.js'
import type { FaultContext } from '../../fault.js'
import { doneInWords } from './reading.js'

/** What a hook answered, and that it was called as evidence of the injector's side. */
export interface Called<Answer> {
  readonly answer: Answer
  readonly evidence: Evidence
}

/** Runs the call of a hook and keeps when it came back and, unless it may be a secret, what it answered. */
export async function callRecorded<Answer>(
  { clock }: FaultContext,
  { subject, hook, secret = false }: { subject: string; hook: string; secret?: boolean },
  call: () => Promise<Answer>,
): Promise<Called<Answer>> {
  const began = clock.now()
  const answer = await call()
  const at = clock.now()
  const after = doneInWords(secret ? null : answer, (at - began) / 1e6)
  return {
    answer,
    evidence: { side: 'injector', subject, signal: `hook ${hook}()`, before: null, after, at },
  }
}
