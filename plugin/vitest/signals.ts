import type { Vitest } from 'vitest/node'

const signals = [
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const

/**
 * Makes Ctrl-C and SIGTERM cancel the run instead of ending the process on the spot, as long as a scenario is running:
 * it heals its faults and is recorded, and hooks and reports run. A second signal, or one while no scenario runs, does
 * what Vitest does by itself. Either way the process exits with 130 after Ctrl-C and 143 after SIGTERM.
 */
export function cancelOnSignals(vitest: Vitest, scenarioRuns: () => boolean): void {
  for (const [signal, number] of signals) {
    const own = process.rawListeners(signal) as NodeJS.SignalsListener[]
    for (const listener of own) process.off(signal, listener)
    let cancelled = false
    const listener: NodeJS.SignalsListener = (name) => {
      if (!cancelled && scenarioRuns()) {
        cancelled = true
        // Vitest sets 1 for an interrupted run, at times of its own; whatever it sets, this comes last.
        process.once('exit', () => (process.exitCode = 128 + number))
        void cancel(vitest)
        return
      }
      for (const original of own) Reflect.apply(original, process, [name, number])
      if (own.length === 0) process.exit(128 + number)
    }
    process.on(signal, listener)
    vitest.onClose(() => {
      process.off(signal, listener)
      for (const original of own) process.on(signal, original)
    })
  }
}

async function cancel(vitest: Vitest): Promise<void> {
  await vitest.cancelCurrentRun('keyboard-input')
  // Without a terminal nobody could end a watching Vitest by its keys.
  if (vitest.config.watch) await vitest.exit(true)
}
