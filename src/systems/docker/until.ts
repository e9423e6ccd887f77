import { setTimeout as sleep } from 'node:timers/promises'
import { SystemError } from '../../errors.js'

/**
 * Asks again and again until the answer is not null. Throws SystemError saying what was waited for after `timeoutMs`.
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T | null>,
  { timeoutMs = 15_000, everyMs = 10 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (answer !== null) return answer
    if (performance.now() > deadline) {
      throw new SystemError('docker-timeout', `${what}: not within ${timeoutMs} ms`, {
        hint: 'see docker ps -a and the log of the engine (journalctl -u docker)',
      })
    }
    await sleep(everyMs)
  }
}
