import { sleep } from '../../../time/sleep.js'
import { longestAfterMs, settleMs } from '../../declaration/limits.js'
import { poll } from '../poll.js'
import type { Pass } from '../setup.js'

/** What became of a system under its workload after the last fault of a schedule. */
export interface AfterFaults {
  /** Milliseconds from the last heal until it was ready again; null when it was not in its time. */
  readonly readyMs: number | null
  /** The same moment in nanoseconds of the run's clock; null likewise. */
  readonly recoveredAt: number | null
}

const shortestMs = 500

/**
 * Waits, while the workload goes on, until the system is ready again, and then as long as there was before the first
 * fault, from half a second to two seconds: service after the faults can be compared only with service before them.
 * Resolves to null when the signal ended the wait for the system.
 */
export async function awaitServiceAfter(
  { input, running, clock }: Pass,
  { beforeMs, signal }: { readonly beforeMs: number; readonly signal: AbortSignal },
): Promise<AfterFaults | null> {
  const { ready } = input.spec.system.spec
  const timeoutMs = settleMs(input.spec)
  const polled = await poll(() => ready === undefined || ready(running.nodes), { timeoutMs, signal })
  if (!polled.done) return signal.aborted ? null : { readyMs: null, recoveredAt: null }
  const recoveredAt = clock.now()
  await sleep(Math.min(longestAfterMs, Math.max(shortestMs, beforeMs)), signal)
  return { readyMs: polled.ms, recoveredAt }
}
