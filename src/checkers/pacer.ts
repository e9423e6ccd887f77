import { setImmediate } from 'node:timers/promises'

const sliceMs = 15

/** What a checker may spend, and a way to let others run in between. */
export interface Pacer {
  readonly elapsedMs: number
  /** Why the checker must stop now, in words; null while it may go on. */
  readonly spent: string | null
  /** Gives way to timers and I/O when the last time was more than a few milliseconds ago. */
  breathe(): Promise<void>
}

/** Starts counting. Long work calls `breathe` often, so that the event loop is never blocked for long. */
export function startPacer({
  timeoutMs,
  signal,
}: {
  timeoutMs: number
  signal?: AbortSignal | undefined
}): Pacer {
  const startedAt = performance.now()
  let breathedAt = startedAt
  return {
    get elapsedMs() {
      return performance.now() - startedAt
    },
    get spent() {
      if (signal?.aborted) return 'the check was cancelled'
      return performance.now() - startedAt > timeoutMs
        ? `the time limit of ${timeoutMs / 1000} s ran out`
        : null
    },
    async breathe() {
      if (performance.now() - breathedAt < sliceMs) return
      await setImmediate()
      breathedAt = performance.now()
    },
  }
}
