import type { TestOptions } from 'vitest'
import type { Duration } from '../../src/time/duration.js'
import { milliseconds } from '../../src/time/duration.js'

/** Options of the Vitest test that a scenario may set beside its declaration. */
export interface ScenarioTestOptions {
  /** Limit of the whole scenario, instead of the one sized from the budget. 0 switches it off. */
  readonly timeout?: Duration
  readonly tags?: string | readonly string[]
  readonly meta?: TestOptions['meta']
  readonly skip?: boolean
  readonly only?: boolean
  readonly todo?: boolean
}

interface Split {
  /** What is left for the scenario's own validation; null when nothing was given. */
  readonly declaration: unknown
  readonly testOptions: Omit<ScenarioTestOptions, 'timeout' | 'tags'> & { timeout?: number; tags?: string[] }
}

const passedOn = ['meta', 'skip', 'only', 'todo'] as const

/** Separates Vitest's options from the declaration. Throws DeclarationError when the timeout is not a duration. */
export function splitOptions(given: unknown): Split {
  if (given === undefined || given === null) return { declaration: null, testOptions: {} }
  if (typeof given !== 'object') return { declaration: given, testOptions: {} }
  const { timeout, tags, ...rest } = given as ScenarioTestOptions & Record<string, unknown>
  const testOptions: Record<string, unknown> = {}
  for (const name of passedOn) {
    if (rest[name] !== undefined) testOptions[name] = rest[name]
    delete (rest as Record<string, unknown>)[name]
  }
  if (timeout !== undefined) testOptions['timeout'] = milliseconds(timeout, 'timeout')
  if (tags !== undefined) testOptions['tags'] = [tags].flat()
  return { declaration: Object.keys(rest).length === 0 ? null : rest, testOptions }
}
