import { inject, TestRunner } from 'vitest'
import { DeclarationError } from '../../src/errors.js'
import { ignoreTerminalInterrupt } from './ignore-terminal-interrupt.js'
import { key } from './settings.js'
import { takeTurn, type Turn } from './turns/turn.js'

/** Vitest's collector of a suite, as far as it is used here. */
interface SuiteCollector {
  /** The file in which the suite is, at whatever depth. */
  readonly file?: TestFile
  /** The function behind its `test`. */
  readonly test: { fn: (this: unknown, ...args: unknown[]) => void }
  /** What was declared in it so far. */
  readonly tasks: { location?: { line: number; column: number } }[]
  on(hook: 'beforeAll', callback: () => Promise<void>): void
}

interface TestFile {
  readonly filepath: string
}

/** The turn of one test file: taken before its first scenario, given back after its last test. */
export class FileTurn {
  readonly testFile: string
  readonly #file: TestFile
  readonly #suites = new WeakSet<SuiteCollector>()
  #taking: Promise<void> | null = null
  #current: Turn | null = null

  constructor(file: TestFile) {
    this.testFile = file.filepath
    this.#file = file
  }

  /** Null until it is taken, and when the run was cancelled before that. */
  get current(): Turn | null {
    return this.#current
  }

  /** Has the turn taken before the tests of a suite. No time limit: waiting for another file is no fault of this one. */
  precede(suite: SuiteCollector): void {
    if (this.#suites.has(suite)) return
    this.#suites.add(suite)
    suite.on('beforeAll', () => (this.#taking ??= this.#take()))
  }

  async #take(): Promise<void> {
    // The suite may be one of several in the file; the end of the file is only at hand when its tests run.
    TestRunner.getSuiteHooks(this.#file as never).afterAll.push(() => this.#release())
    this.#current = await takeTurn(inject(key).host)
  }

  #release(): void {
    this.#current?.release()
    this.#current = null
  }
}

const turns = new WeakMap<TestFile, FileTurn>()

/**
 * The turn of the file in which a scenario is being declared. The first scenario of a suite has its hooks registered.
 * Throws DeclarationError when the plugin is not there.
 */
export function fileTurn(): FileTurn {
  const suite = currentSuite()
  const { file } = suite
  if (file === undefined || inject(key) === undefined) {
    throw new DeclarationError(
      'plugin',
      'scenario(): the plugin of vitest-nemesis is not active in this project',
      {
        hint: "add nemesis() from 'vitest-nemesis/plugin' to `plugins` in the Vitest config",
      },
    )
  }
  const turn = turns.get(file) ?? new FileTurn(file)
  turns.set(file, turn)
  turn.precede(suite)
  ignoreTerminalInterrupt()
  return turn
}

/** The suite in which a test is being declared. */
export function currentSuite(): SuiteCollector {
  return TestRunner.getCurrentSuite() as never
}
