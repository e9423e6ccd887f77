import pc from 'picocolors'
import type { Progress } from '../../src/scenario/runs/progress.js'
import type { Aggregate } from '../../src/verdict/arms.js'
import type { SessionVerdict } from '../../src/verdict/session.js'
import { verdicts, type Verdict } from '../../src/verdict/verdict.js'
import type { Account } from './account.js'

const label = pc.dim('nemesis')
const indent = ' '.repeat('nemesis'.length)

/** A longer reason is cut: the failure below the line and the report have all of it. */
const longestReason = 320

/** One line for a scenario: verdict, name, claims, and what the verdict rests on. */
export function scenarioLine({ verdict, name, claims, evidence, reason, expected }: Account): string {
  const why = verdict.startsWith('PASS-') ? [] : [shortened(oneLine(reason))]
  // What is inconclusive rests on its reason alone, which names what the evidence would show.
  const proof = /^(PASS|FAIL)-/.test(verdict) && evidence !== '' ? [evidence] : []
  const details = [...why, ...proof]
  return [
    label,
    expected ? `${pc.green(verdict)} (expected)` : coloured(verdict),
    pc.bold(name),
    ...(claims.length === 0 ? [] : [claims.join(', ')]),
    ...(details.length === 0 ? [] : [pc.dim(details.join('; '))]),
  ].join('  ')
}

/** One line for a scenario with arms as a whole, below those of its arms. */
export function aggregateLine({ id, name, verdict, reason }: Aggregate): string {
  return [label, coloured(verdict), pc.bold(name), pc.dim(`${id}, all arms: ${oneLine(reason)}`)].join('  ')
}

/** One line for what the author of scenarios should mend. */
export function remarkLine(text: string): string {
  return `${label}  ${pc.yellow('note')}  ${oneLine(text)}`
}

/** The end of a session: its verdict, how many scenarios ended how, and where the report is. */
export function sessionLines(session: {
  readonly verdict: SessionVerdict
  readonly verdicts: readonly Verdict[]
  readonly reports: readonly string[]
}): string[] {
  const counted = verdicts
    .map((verdict) => ({ verdict, count: session.verdicts.filter((other) => other === verdict).length }))
    .filter(({ count }) => count > 0)
    .map(({ verdict, count }) => `${count} ${verdict}`)
    .join(', ')
  return [
    `${label}  session ${colouredSession(session.verdict)}  ${counted}`,
    ...session.reports.map((report) => `${indent}  report  ${report}`),
  ]
}

/** `nemesis  … name  workload of seed-7  180 ops/s  F1 partition  12 s left`, and `nemesis  … name  seed-7: no violation` */
export function progressLine(progress: Progress): string {
  const { scenario, phase, run, operations, opsPerSecond, activeFaults, secondsLeft, outcome } = progress
  if (outcome !== null) return [label, `… ${scenario}`, shortened(oneLine(`${run}: ${outcome}`))].join('  ')
  return [
    label,
    `… ${scenario}`,
    `${phase} of ${run}`,
    ...(operations === 0 ? [] : [`${operations} operations, ${opsPerSecond}/s`]),
    ...(activeFaults.length === 0 ? [] : [pc.magenta(activeFaults.join(', '))]),
    ...(secondsLeft === null ? [] : [`${secondsLeft} s left`]),
  ].join('  ')
}

function coloured(verdict: Verdict): string {
  if (verdict.startsWith('PASS-')) return pc.green(verdict)
  if (verdict.startsWith('FAIL-')) return pc.red(verdict)
  return pc.yellow(verdict)
}

function colouredSession(verdict: SessionVerdict): string {
  if (verdict === 'DONE') return pc.green(verdict)
  if (verdict === 'FAIL') return pc.red(verdict)
  return pc.yellow(verdict)
}

function oneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' / ')
}

function shortened(text: string): string {
  return text.length <= longestReason ? text : `${text.slice(0, longestReason - 1).trimEnd()}…`
}
