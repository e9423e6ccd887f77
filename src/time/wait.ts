import { FaultError } from '../errors.js'
import { sleep } from './sleep.js'

/** Asks every `everyMs` until the answer is true or `withinMs` have passed; resolves to whether it became true. */
export async function becomes(
  ask: () => Promise<boolean> | boolean,
  { withinMs, everyMs = 30 }: { withinMs: number; everyMs?: number },
): Promise<boolean> {
  const deadline = performance.now() + withinMs
  for (;;) {
    if (await ask()) return true
    if (performance.now() >= deadline) return false
    await sleep(everyMs)
  }
}

/** Rejects with FaultError when the work is not done within `ms`. The work itself goes on. */
export function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new FaultError('fault-timeout', `${what} was not done within ${seconds(ms)}`)),
      ms,
    )
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** `5.0 s` */
export function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
