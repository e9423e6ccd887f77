import type { Pass, PassInput } from '../pass/setup.js'

/** A moment of a running scenario, for people who wait. */
export interface Progress {
  readonly scenario: string
  readonly run: string
  readonly phase: string
  readonly operations: number
  readonly opsPerSecond: number
  /** Faults that are in place, such as `F1 partition`. */
  readonly activeFaults: readonly string[]
  /** Seconds until the workload ends; null outside the workload phase, and with a body. */
  readonly secondsLeft: number | null
  /** What the run has shown, once it has ended; null while it goes on. */
  readonly outcome: string | null
}

const quiet = { operations: 0, opsPerSecond: 0, activeFaults: [], secondsLeft: null, outcome: null }

/** The last that is heard of a run. */
export function endOf(scenario: string, run: string, outcome: string): Progress {
  return { ...quiet, scenario, run, phase: 'end', outcome }
}

/** The callbacks of a pass that turn what it does into progress. */
export function progressOf(
  environment: { readonly name: string; progress(progress: Progress): void },
  run: string,
): Pick<PassInput, 'onPhase' | 'onDriving'> {
  let phase = 'start'
  let seen = { operations: 0, at: 0 }
  let drivenFrom: number | null = null
  return {
    onPhase(next) {
      phase = next
      environment.progress({ ...quiet, scenario: environment.name, run, phase, operations: seen.operations })
    },
    onDriving({ recorder, clock, input }: Pass, activeFaults) {
      const now = { operations: recorder.count(), at: clock.now() }
      drivenFrom ??= now.at
      const opsPerSecond = ((now.operations - seen.operations) * 1e9) / Math.max(1, now.at - seen.at)
      seen = now
      environment.progress({
        scenario: environment.name,
        run,
        phase,
        operations: now.operations,
        opsPerSecond: Math.round(opsPerSecond),
        activeFaults,
        // A body ends when it has seen enough.
        secondsLeft:
          input.body === undefined
            ? Math.max(0, Math.round(input.durationMs / 1000 - (now.at - drivenFrom) / 1e9))
            : null,
        outcome: null,
      })
    },
  }
}
