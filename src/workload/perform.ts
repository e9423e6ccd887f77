import { HarnessError, messageOf } from '../errors.js'
import type { Outcome } from '../history/operation.js'
import type { Invocation, OpenOperation, Recorder } from '../history/recorder.js'
import { duringOperation } from '../properties/scope.js'
import { classifyError } from './classify.js'
import type { WorkloadSpec } from './workload.js'

export interface OperationToPerform {
  readonly recorder: Recorder
  readonly invocation: Invocation
  /** Without an answer by then the outcome is unknown. */
  readonly timeoutMs: number
  readonly classify: WorkloadSpec<never>['classify']
  /** Ends the operation early, its outcome being unknown. */
  readonly signal: AbortSignal
  /** Runs before anything is sent, such as connecting: when it rejects or takes too long, the operation failed. */
  prepare?(signal: AbortSignal): Promise<void>
  /** Sends the operation and resolves to its output. */
  run(context: { readonly signal: AbortSignal; seen(node: string): void }): Promise<unknown>
}

/** How an operation ended. */
export interface Performed {
  readonly outcome: Outcome
  /** What ended it; null when it is ok. */
  readonly error: unknown
  /** False when it ended while it was still being prepared. */
  readonly sent: boolean
}

interface Progress {
  sent: boolean
  /** What the user's code gave to `seen`. */
  seen: unknown
}

type Ending = { readonly output: unknown } | { readonly error: unknown } | { readonly gaveUp: string }

/**
 * Performs one operation and records it, from invocation to its outcome.
 *
 * Rejects only with a HarnessError (an output that cannot be recorded, a wrong `classify`) or a HistoryError (the
 * history cannot be written).
 */
export async function performOperation(options: OperationToPerform): Promise<Performed> {
  const { recorder, invocation, classify } = options
  const operation = recorder.invoke(invocation)
  const abort = new AbortController()
  const progress: Progress = { sent: false, seen: undefined }
  const work = (async () => {
    await options.prepare?.(abort.signal)
    // Given up while it was being prepared: it has been recorded as failed, so it must never be sent.
    if (abort.signal.aborted) throw abort.signal.reason
    progress.sent = true
    return duringOperation(operation.id, () =>
      options.run({ signal: abort.signal, seen: (node) => void (progress.seen = node) }),
    )
  })()
  const ending = await firstEnding(work, operation, options)
  try {
    return record(operation, ending, progress, { type: invocation.type, classify })
  } catch (error) {
    if (error instanceof HarnessError) operation.unknown(messageOf(error))
    throw error
  } finally {
    if ('gaveUp' in ending) abort.abort(new Error(ending.gaveUp))
  }
}

function firstEnding(
  work: Promise<unknown>,
  operation: OpenOperation,
  options: OperationToPerform,
): Promise<Ending> {
  const { timeoutMs, signal } = options
  return new Promise((resolve) => {
    let ended = false
    const end = (ending: Ending) => {
      ended = true
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
      resolve(ending)
    }
    const cancel = () => end({ gaveUp: 'the run was cancelled' })
    const timer = setTimeout(() => end({ gaveUp: `no answer within ${timeoutMs} ms` }), timeoutMs)
    if (signal.aborted) cancel()
    else signal.addEventListener('abort', cancel)
    work.then(
      // A late answer goes to the recorder, which counts it. A late error tells nothing new and is dropped.
      (output) => (ended ? operation.ok(output) : end({ output })),
      (error: unknown) => (ended ? undefined : end({ error })),
    )
  })
}

function record(
  operation: OpenOperation,
  ending: Ending,
  { sent, seen }: Progress,
  { type, classify }: { readonly type: string; readonly classify: WorkloadSpec<never>['classify'] },
): Performed {
  if (seen !== undefined && typeof seen !== 'string') {
    throw new HarnessError('seen', `"${type}" called seen() with a value of type ${typeof seen}`, {
      hint: 'give it the name of the node that answered',
    })
  }
  if ('output' in ending) {
    operation.ok(ending.output, seen)
    return { outcome: 'ok', error: null, sent: true }
  }
  const error = 'error' in ending ? ending.error : new Error(ending.gaveUp)
  const outcome = !sent ? 'failed' : 'error' in ending ? classifyError(classify, error, type) : 'unknown'
  operation[outcome](sent ? messageOf(error) : `could not connect: ${messageOf(error)}`, seen)
  return { outcome, error, sent }
}
