import { messageOf } from '../../errors.js'
import { sleep } from '../../time/sleep.js'

/** What polling ended with: the answer and how long it took, or the last thing that stood in its way. */
export type Polled<T> =
  | { readonly done: true; readonly value: T; readonly ms: number }
  | { readonly done: false; readonly last: string; readonly ms: number }

export interface PollOptions {
  readonly timeoutMs: number
  readonly everyMs?: number
  readonly signal: AbortSignal
}

/**
 * Asks again and again until the answer is neither false nor null nor undefined.
 * An error counts as "not yet"; the last one is told when time runs out. A hanging question is cut off at the deadline.
 */
export async function poll<T>(
  ask: () => Promise<T> | T,
  options: PollOptions,
): Promise<Polled<NonNullable<T>>> {
  const started = performance.now()
  const elapsed = () => performance.now() - started
  let last = 'no answer'
  while (elapsed() < options.timeoutMs && !options.signal.aborted) {
    try {
      const value = await withDeadline(ask, options.timeoutMs - elapsed(), options.signal)
      if (value !== false && value !== null && value !== undefined) {
        return { done: true, value: value, ms: elapsed() }
      }
      last = `answered ${String(value)}`
    } catch (error) {
      last = messageOf(error)
    }
    await sleep(options.everyMs ?? 50, options.signal)
  }
  return { done: false, last: options.signal.aborted ? 'the run was cancelled' : last, ms: elapsed() }
}

/** Rejects when the deadline passes or the signal aborts before the work is done. The work itself is not stopped. */
export function withDeadline<T>(work: () => Promise<T> | T, ms: number, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(new Error(`no answer within ${Math.round(ms)} ms`)), ms)
    const cancel = () => fail(new Error('the run was cancelled'))
    const settle = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', cancel)
    }
    function fail(error: unknown) {
      settle()
      reject(error instanceof Error ? error : new Error(messageOf(error)))
    }
    if (signal.aborted) return cancel()
    signal.addEventListener('abort', cancel, { once: true })
    Promise.resolve()
      .then(work)
      .then((value) => {
        settle()
        resolve(value)
      }, fail)
  })
}
