import { messageOf } from '../../../errors.js'
import type { LogScan } from '../../../session/observation-record.js'
import type { LogRules } from '../../spec.js'
import { explanationOf } from './explained.js'
import { LogFile } from './log-file.js'

export interface ScanInput {
  /** `name` is how the record calls the file. */
  readonly files: readonly { readonly path: string; readonly name: string }[]
  readonly rules: LogRules
  /** Names of the faults that the run injected. */
  readonly faults: readonly string[]
}

/**
 * Looks for panics, uncaught exceptions, internal errors and the like in logs of any size.
 *
 * A log that is missing, unreadable or binary is in `unread`, with the reason.
 */
export async function scanLogs({ files, rules, faults }: ScanInput): Promise<LogScan> {
  const scan: LogScan = { files: 0, lines: 0, matches: [], unread: [] }
  const ignored = (rules.ignored ?? []).map(({ pattern, because }) => ({
    // A pattern with the flag g would remember where it found something.
    pattern: new RegExp(pattern.source, pattern.flags.replaceAll(/[gy]/g, '')),
    because,
  }))
  for (const { path, name } of files) {
    const file = new LogFile({
      name,
      alarming: rules.alarming ?? [],
      ignoredBecause: ({ pattern, line, message }) =>
        ignored.find((one) => one.pattern.test(line))?.because ??
        explanationOf({ alarm: pattern, message }, faults),
    })
    try {
      await file.read(path)
      scan.files += 1
      scan.lines += file.lines
      scan.matches.push(...file.matches)
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      scan.unread.push(`${name}: ${missing ? 'it does not exist' : messageOf(error)}`)
    }
  }
  return scan
}
