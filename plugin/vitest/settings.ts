import type { ResolvedOptions } from './options.js'

/** What the main process tells every worker. */
export interface WorkerSettings {
  /** Unix socket or named pipe of the session host. */
  readonly host: string
  /** The project root: locations are relative to it. */
  readonly root: string
  readonly tier: ResolvedOptions['tier']
  readonly gate: ResolvedOptions['gate']
}

/** The key under which the settings are provided, and scenarios leave their results in `task.meta`. */
export const key = 'nemesis'

/** The tag of every scenario: `vitest --tags-filter=scenario`. */
export const scenarioTag = 'scenario'

declare module 'vitest' {
  interface ProvidedContext {
    nemesis: WorkerSettings
  }
}
