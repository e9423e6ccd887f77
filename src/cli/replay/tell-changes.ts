/** Says that what was run again is not what was recorded: it may show something else, or nothing. */
export function tellChanges(changes: readonly string[], since: string): void {
  if (changes.length === 0) return
  process.stderr.write(`nemesis: the scenario has changed since ${since}: ${changes.join(', ')}\n`)
}
