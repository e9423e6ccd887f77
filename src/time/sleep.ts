import { setTimeout as delay } from 'node:timers/promises'

/** Waits for `ms` milliseconds, or until the signal aborts. Never rejects. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms <= 0 || signal?.aborted) return
  try {
    await delay(ms, undefined, signal === undefined ? {} : { signal })
  } catch {
    // The only rejection is the abort, which ends the wait as agreed.
  }
}
