import { TestRunner } from 'vitest'

// This runs before every test file, scenario or not, and therefore does next to nothing.

/** Where `scenario()` finds the collector of the file itself, also when it is called inside a `describe`. */
const slot = Symbol.for('vitest-nemesis.file')
;(globalThis as Record<symbol, unknown>)[slot] = TestRunner.getCurrentSuite()

// A terminal sends Ctrl-C to the workers too. The main process decides what it means: it cancels the run, and
// every scenario heals its faults before the worker ends. A worker without a listener would die at once.
const ignored = Symbol.for('vitest-nemesis.sigint')
const marks = process as unknown as Record<symbol, unknown>
if (marks[ignored] !== true && typeof process.on === 'function') {
  marks[ignored] = true
  process.on('SIGINT', () => undefined)
}
