import { inject, TestRunner } from 'vitest'
import { DeclarationError } from '../../src/errors.js'
import { key } from './settings.js'
import { takeTurn, type Turn } from './turns/turn.js'

/** Vitest's collector of a test file, as far as it is used here. */
interface FileCollector {
  readonly file?: { readonly filepath: string }
  on(hook: 'beforeAll' | 'afterAll', callback: () => Promise<void> | void): void
}

/** The turn of one test file: taken before its first test, given back after its last. */
export interface FileTurn {
  readonly testFile: string
  /** Null until it is taken, and when the run was cancelled before that. */
  readonly current: Turn | null
}

const slot = Symbol.for('vitest-nemesis.file')
const turns = new WeakMap<object, FileTurn>()

/**
 * The turn of the file that is being collected. The first call for a file registers the hooks which take it and give
 * it back; they have no time limit, so that waiting for another file never counts against a test.
 * Throws DeclarationError when the plugin is not there.
 */
export function fileTurn(): FileTurn {
  const collector = (globalThis as Record<symbol, unknown>)[slot] as FileCollector | undefined
  if (collector?.file === undefined || inject(key) === undefined) {
    throw new DeclarationError(
      'plugin',
      'scenario(): the plugin of vitest-nemesis is not active in this project',
      {
        hint: "add nemesis() from 'vitest-nemesis/plugin' to `plugins` in the Vitest config",
      },
    )
  }
  const { file } = collector
  const known = turns.get(file)
  if (known !== undefined) return known
  const state: { testFile: string; current: Turn | null } = { testFile: file.filepath, current: null }
  turns.set(file, state)
  collector.on('beforeAll', async () => {
    state.current = await takeTurn(inject(key).host)
  })
  collector.on('afterAll', () => {
    state.current?.release()
    state.current = null
  })
  return state
}

/** Vitest's collector of a suite, as far as it is used here: the function behind its `test`, and what was declared. */
interface SuiteCollector {
  readonly test: { fn: (this: unknown, ...args: unknown[]) => void }
  readonly tasks: { location?: { line: number; column: number } }[]
}

/** The suite in which a test is being declared. */
export function currentSuite(): SuiteCollector {
  return TestRunner.getCurrentSuite() as never
}
