import type { CheckProgress } from '../../checkers/checker.js'

const everyMs = 5_000

/** A line on stderr every five seconds, for a person who waits for a long check; nothing where nobody watches. */
export function progressOf(file: string): ((progress: CheckProgress) => void) | undefined {
  if (!process.stderr.isTTY) return undefined
  let last = performance.now()
  return ({ decided, partitions, configurations }) => {
    if (performance.now() - last < everyMs) return
    last = performance.now()
    const searched =
      configurations === 0 ? '' : `, ${configurations.toLocaleString('en')} configurations searched`
    process.stderr.write(`… ${file}: ${decided} of ${partitions} partitions decided${searched}\n`)
  }
}
