/**
 * The guardian process: `node guardian.js <journal>`. Waits for the end of its standard input, undoes what the journal
 * then holds, and exits. See `startGuardian`.
 */
const journal = process.argv[2]
if (journal === undefined) process.exit(2)

// What ends the run must not end the one who cleans up behind it. Nothing is imported before this, as loading takes
// longer than anything else here; and everything is loaded before the run ends, as it may take the files with it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
const { healJournal } = await import('./heal-journal.js')

await new Promise<void>((resolve) => {
  process.stdin.on('end', resolve)
  // A pipe that breaks is the end of the run as well.
  process.stdin.on('error', () => resolve())
  process.stdin.resume()
})
const entries = await healJournal(journal)
process.exit(entries.every((entry) => entry.undone) ? 0 : 1)
