/** A piece of work that stops early when its signal aborts. */
export type Job<T> = (signal: AbortSignal) => Promise<T>

/**
 * Runs jobs side by side and waits for all of them, so that none outlives the call.
 * The first failure aborts the others and is thrown once they have settled.
 */
export async function inConcert<const Jobs extends readonly Job<unknown>[]>(
  jobs: Jobs,
  signal: AbortSignal,
): Promise<{ [Index in keyof Jobs]: Awaited<ReturnType<Jobs[Index]>> }> {
  const failure = new AbortController()
  const shared = AbortSignal.any([signal, failure.signal])
  const settled = await Promise.allSettled(
    jobs.map(async (job) => {
      try {
        return await job(shared)
      } catch (error) {
        if (!failure.signal.aborted) failure.abort(error)
        throw error
      }
    }),
  )
  if (failure.signal.aborted) throw failure.signal.reason
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never
}
