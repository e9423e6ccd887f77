import type { Vitest } from 'vitest/node'
import type { SessionSummary, SessionView } from '../../reporters/terminal/session-view.js'
import type { Progress } from '../../src/scenario/runs/progress.js'
import type { ScenarioRecord } from '../../src/session/record.js'
import type { ResolvedOptions } from './options.js'
import type { Session } from './session-store.js'
import { TurnHost } from './turns/host.js'
import type { HostAddress } from './turns/messages.js'

const loadStore = () => import('./session-store.js')

/** The sessions of one Vitest process: one for each run in which a scenario runs. */
export class SessionRuns implements SessionView {
  readonly gate: ResolvedOptions['gate']
  readonly #vitest: Vitest
  readonly #options: ResolvedOptions
  readonly #host: TurnHost
  readonly #started = new Set<string>()
  #session: Promise<Session> | null = null
  #listener: (progress: Progress) => void = () => undefined

  constructor(vitest: Vitest, options: ResolvedOptions) {
    this.gate = options.gate
    this.#vitest = vitest
    this.#options = options
    this.#host = new TurnHost({
      onStart: async (task) => {
        this.#started.add(task)
        this.#session ??= this.#start()
        return (await this.#session).directory
      },
      onProgress: (progress) => this.#listener(progress),
    })
    vitest.onCancel(() => this.#host.dismissWaiting())
    vitest.onClose(() => this.#host.close())
  }

  /** Where workers reach the session host. */
  get address(): HostAddress {
    return this.#host.address
  }

  /** True while a scenario file runs or waits for its turn. */
  get busy(): boolean {
    return this.#host.busy
  }

  onProgress(listener: (progress: Progress) => void): void {
    this.#listener = listener
  }

  async begin(): Promise<void> {
    this.#session = null
    this.#started.clear()
    await this.#host.listen()
  }

  hasStarted(task: string): boolean {
    return this.#started.has(task)
  }

  async recordOf(scenario: string): Promise<ScenarioRecord | null> {
    const session = await this.#session
    return session === null ? null : (await loadStore()).readRecord(session, scenario)
  }

  async finish(records: readonly ScenarioRecord[]): Promise<SessionSummary | null> {
    const session = await this.#session
    return session === null ? null : (await loadStore()).finishSession(session, records)
  }

  async #start(): Promise<Session> {
    return (await loadStore()).startSession(this.#vitest, this.#options)
  }
}
