import { HarnessError, messageOf } from '../errors.js'
import type { WorkloadSpec } from './workload.js'

/**
 * Whether an error proves that the operation did not happen.
 *
 * Asks the workload's `classify`, or else takes every error for `unknown` unless it shows that nothing was sent. Throws
 * HarnessError, naming the operation, when `classify` throws or answers anything else.
 */
export function classifyError(
  classify: WorkloadSpec<never>['classify'],
  error: unknown,
  type: string,
): 'failed' | 'unknown' {
  if (classify === undefined) return classifyDefault(error)
  const where = `workload.classify for an error of "${type}" (${messageOf(error)})`
  let answer: unknown
  try {
    answer = classify(error, { type })
  } catch (cause) {
    throw new HarnessError('classify', `${where} threw: ${messageOf(cause)}`, { cause })
  }
  if (answer === 'failed' || answer === 'unknown') return answer
  throw new HarnessError('classify', `${where} returned ${String(answer)}; expected 'failed' or 'unknown'`, {
    hint: "return 'failed' only for errors after which the operation certainly did not happen",
  })
}

/** `unknown`, unless the error itself proves that nothing was sent. */
export function classifyDefault(error: unknown): 'failed' | 'unknown' {
  return provesNothingSent(error) ? 'failed' : 'unknown'
}

const connectErrors: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'ENOENT',
])

/**
 * True when the connection over which the operation was to go was never established, or its host name never resolved.
 *
 * Only Node's own errors of connect(2) and getaddrinfo count, `fetch failed` around one, and the AggregateError of a
 * host with several addresses when all of them failed so. A reset, or the same code from any other call, may come after
 * bytes went out. So may an error wrapped by a client that retries by itself: such a wrapper is not looked into.
 */
export function provesNothingSent(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) {
    return error.errors.length > 0 && error.errors.every((each) => provesNothingSent(each))
  }
  if (error instanceof TypeError && error.message === 'fetch failed') return provesNothingSent(error.cause)
  const { syscall, code } = error as NodeJS.ErrnoException
  if (syscall === 'getaddrinfo') return true
  return syscall === 'connect' && code !== undefined && connectErrors.has(code)
}
