const ignored = Symbol.for('vitest-nemesis.sigint')

/**
 * Leaves Ctrl-C, which a terminal sends to workers too, to the main process: it cancels the run, and every scenario
 * heals its faults before its worker ends. A worker without a listener would die at once.
 */
export function ignoreTerminalInterrupt(): void {
  const marks = process as unknown as Record<symbol, unknown>
  // Modules are evaluated anew for each test file that a worker runs; the process stays.
  if (marks[ignored] === true) return
  marks[ignored] = true
  process.on('SIGINT', () => undefined)
}
