import type { LogScan } from '../../../session/observation-record.js'
import { judged, type AuditCheck } from '../check.js'
import { count } from '../recorded.js'

/** Matches told of each run. */
const toldMost = 3

/** The logs of every run were read, and nothing in them tells of a panic, an exception or an internal error. */
export const noSwallowedErrors: AuditCheck = {
  name: 'no-swallowed-errors',
  blocks: 'PASS',
  downgrade: 'PARTIAL-surface',
  evaluate({ runs }) {
    const problems = runs.flatMap(({ name, logScan }) =>
      problemsOf(logScan).map((problem) => `${name}: ${problem}`),
    )
    const evidence = runs.flatMap(({ name, logScan }) =>
      logScan === null ? [] : [`${name}: ${inWords(logScan)}`],
    )
    return judged(problems, evidence)
  },
}

function problemsOf(scan: LogScan | null): string[] {
  if (scan === null) return ['the logs of its nodes were not read']
  if (scan.files === 0 && scan.unread.length === 0) return ['its nodes gave no log to read']
  const counting = scan.matches.filter(({ ignored }) => ignored === null)
  const more = counting.length > toldMost ? [`and ${counting.length - toldMost} more patterns`] : []
  return [
    ...scan.unread.map((log) => `could not be read: ${log}`),
    ...counting
      .slice(0, toldMost)
      .map(({ file, line, text, count: times }) => `${file}:${line}: ${text} (${count(times, 'time')})`),
    ...more,
  ]
}

function inWords({ files, lines, matches }: LogScan): string {
  const ignored = matches.flatMap(({ pattern, count: times, ignored: reason }) =>
    reason === null ? [] : [`; ignored ${pattern} ${count(times, 'time')}: ${reason}`],
  )
  const silent = lines === 0 ? ': the nodes said nothing, or they say it elsewhere' : ''
  return `${count(lines, 'line')} of ${count(files, 'file')} read${silent}${ignored.join('')}`
}
