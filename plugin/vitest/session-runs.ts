import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import type { Vitest } from 'vitest/node'
import type { SessionSummary, SessionView } from '../../reporters/terminal/session-view.js'
import { writeReport } from '../../src/findings/report.js'
import type { Progress } from '../../src/scenario/progress.js'
import { sessionLayout } from '../../src/session/layout.js'
import { readJson } from '../../src/session/read-json.js'
import { scenarioRecordSchema, type ScenarioRecord, type SessionInfo } from '../../src/session/record.js'
import { writeScenarioRecord, writeSessionInfo } from '../../src/session/session.js'
import type { ResolvedOptions } from './options.js'
import { makeSessionDirectory, sessionsOf } from './session-directory.js'
import { sessionInfo } from './session-info.js'
import { TurnHost } from './turns/host.js'
import type { HostAddress } from './turns/messages.js'

interface Session {
  readonly directory: string
  readonly info: SessionInfo
}

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
    if (session === null) return null
    const file = sessionLayout(session.directory).record(scenario)
    return existsSync(file) ? readJson(file, scenarioRecordSchema) : null
  }

  async finish(records: readonly ScenarioRecord[]): Promise<SessionSummary | null> {
    const session = await this.#session
    if (session === null) return null
    const { directory, info } = session
    for (const record of records) await writeScenarioRecord(directory, record)
    const { verdict, scenarios } = await writeReport(directory, {
      ...info,
      finishedAt: new Date().toISOString(),
    })
    return { verdict, scenarios, report: sessionLayout(directory).reportMarkdown }
  }

  async #start(): Promise<Session> {
    const startedAt = new Date()
    const sessions = sessionsOf(this.#vitest.config.root, this.#options)
    const directory = await makeSessionDirectory(sessions, startedAt)
    const info = await sessionInfo(this.#vitest, this.#options, { slug: basename(sessions), startedAt })
    await writeSessionInfo(directory, info)
    return { directory, info }
  }
}
