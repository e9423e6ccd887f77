import { healJournal } from './heal-journal.js'

/**
 * The guardian process: `node guardian.js <journal>`. Waits for the end of its standard input, undoes what the journal
 * then holds, and exits. See `startGuardian`.
 */
const journal = process.argv[2]
if (journal === undefined) process.exit(2)

// What ends the run must not end the one who cleans up behind it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

await new Promise<void>((resolve) => {
  process.stdin.on('end', resolve)
  // A pipe that breaks is the end of the run as well.
  process.stdin.on('error', () => resolve())
  process.stdin.resume()
})
const entries = await healJournal(journal)
process.exit(entries.every((entry) => entry.undone) ? 0 : 1)
