import type { ResolvedOptions } from './options.js'
import type { HostAddress } from './turns/messages.js'

/** What the main process tells every worker. */
export interface WorkerSettings {
  readonly host: HostAddress
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
