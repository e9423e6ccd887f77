import { safeName } from '../../session/names.js'
import type { Reproducer } from '../../findings/reduction/reproducer.js'
import type { RunRecord } from '../../session/record.js'
import { appendToLog } from '../../session/session.js'
import type { Tier } from '../../verdict/budget.js'
import type { ScenarioBody } from '../pass/drive/body.js'
import { harnessDigest } from '../declaration/harness-digest.js'
import { bodyLimitMs, workloadMs } from '../declaration/limits.js'
import { passPaths, runPass } from '../pass/pass.js'
import type { Script } from '../pass/drive/play-script.js'
import { endOf, progressOf, type Progress } from './progress.js'
import type { ScenarioSpec } from '../spec.js'

/** Where and how a scenario runs. */
export interface RunEnvironment {
  readonly name: string
  /** `file:line` of the declaration, relative to the project's root. */
  readonly location: string | null
  /** Run instead of what the scenario declares. */
  readonly reproducer?: Reproducer
  /** The project's root; left out when it is not known. */
  readonly root?: string
  readonly sessionDir: string
  readonly tier: Tier
  readonly signal: AbortSignal
  progress(progress: Progress): void
}

export interface PassRequest {
  /** Unique in the scenario. */
  readonly name: string
  readonly purpose: RunRecord['purpose']
  readonly seed: number
  /** What is different from the scenario as it was declared, such as no faults or another system. */
  readonly change?: Partial<ScenarioSpec>
  /** Milliseconds of workload; by the budget of the attempted tier if it is left out. */
  readonly durationMs?: number
  /** Played instead of the workload and the faults. */
  readonly script?: Script
  /** Calls of `inject` of the body, counted from 0, that put nothing in. */
  readonly leftOut?: readonly number[]
}

/** Runs a scenario over and over, the same or changed, always in the same session. */
export class Passes {
  readonly spec: ScenarioSpec
  readonly environment: RunEnvironment
  readonly #body: ScenarioBody | undefined

  constructor(spec: ScenarioSpec, body: ScenarioBody | undefined, environment: RunEnvironment) {
    this.spec = spec
    this.#body = body
    this.environment = environment
  }

  /** True when the scenario has an imperative body, which injects faults and performs operations by itself. */
  get hasBody(): boolean {
    return this.#body !== undefined
  }

  /** Digest of what drives and judges the scenario, whatever tier it runs for. */
  get harness(): string {
    return harnessDigest({ spec: this.spec, body: this.#body, tier: 'smoke' })
  }

  get cancelled(): boolean {
    return this.environment.signal.aborted
  }

  /** One pass; see `runPass`. It is not added to the scenario's record. */
  async run({ name, purpose, seed, change = {}, ...rest }: PassRequest): Promise<RunRecord> {
    const { environment } = this
    const { sessionDir, tier, signal } = environment
    const spec = { ...this.spec, ...change }
    return runPass({
      spec,
      body: this.#body,
      name,
      purpose,
      seed,
      durationMs: rest.durationMs ?? workloadMs(spec, tier),
      script: rest.script ?? null,
      leftOut: new Set(rest.leftOut),
      bodyLimitMs,
      sessionDir,
      paths: passPaths(sessionDir, safeName(environment.name), name),
      signal,
      log: (message) => this.log(`[${name}] ${message}`),
      ...progressOf(environment, name),
    })
  }

  /** Tells people who wait, and the log, what a pass has shown. */
  ended(run: string, outcome: string): void {
    this.environment.progress(endOf(this.environment.name, run, outcome))
    this.log(`[${run}] ${outcome}`)
  }

  /** Adds a line about this scenario to the session's log. */
  log(message: string): void {
    appendToLog(this.environment.sessionDir, `${this.environment.name} ${message}`)
  }
}
