import type { Load, RunRecord } from '../../../session/record.js'
import { judged, type AuditCheck } from '../check.js'
import { faultMs, percent } from '../recorded.js'

/** Of all operations, how many must end ok: below that the workload mostly asked for what the system refuses. */
const okLeast = 0.05
/** What may be missing of the time, or of the intended operations, without a fault that explains it. */
const unexplainedMost = 0.1
/** Milliseconds that may always be missing: a busy machine puts a process aside for longer than a slice lasts. */
const unexplainedMs = 1_000
/** What may be missing at all: a load that faults keep down for longer tests too little. */
const missingMost = 0.8

/**
 * Every run invoked operations for most of its time, an open loop about as many as it intended, and enough of them ended
 * ok. Faults may explain gaps, up to a limit.
 */
export const loadProduced: AuditCheck = {
  name: 'load-produced',
  blocks: 'PASS',
  downgrade: 'PARTIAL-surface',
  evaluate({ runs }) {
    return judged(runs.flatMap(problemsOf), runs.map(inWords))
  },
}

function problemsOf(run: RunRecord): string[] {
  const { load, name } = run
  if (load === null) {
    return operationsJudged(run) > 0
      ? []
      : [`${name}: no load was measured, and no checker consumed an operation of its body`]
  }
  if (!(load.invoked > 0)) return [`${name}: the workload was idle: no operation was invoked`]
  if (!(load.ok / load.invoked >= okLeast)) {
    return [
      `${name}: ${load.ok} of ${load.invoked} operations ended ok, less than ${percent(okLeast)}: this is no load`,
    ]
  }
  return [...gaps(run, load), ...shortfall(run, load)].map((problem) => `${name}: ${problem}`)
}

/** Time in which nothing was invoked. */
function gaps(run: RunRecord, { slices }: Load): string[] {
  const lengthMs = slices.at(-1)?.toMs ?? 0
  const idleMs = slices
    .filter(({ invoked }) => invoked === 0)
    .reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  return tooMuch(run, idleMs / Math.max(lengthMs, 1))
    ? [`nothing was invoked for ${Math.round(idleMs)} of ${Math.round(lengthMs)} ms${explained(run)}`]
    : []
}

/** Operations of an open loop that were never started. */
function shortfall(run: RunRecord, load: Load): string[] {
  if (load.loop === 'closed') return []
  const intended = intendedOf(run, load)
  return tooMuch(run, 1 - load.invoked / Math.max(intended, 1))
    ? [`${load.invoked} of ${Math.round(intended)} intended operations were invoked${explained(run)}`]
    : []
}

function intendedOf({ durationMs }: RunRecord, { slices, intendedRate }: Load): number {
  return slices.length > 0
    ? slices.reduce((sum, { intended }) => sum + (intended ?? 0), 0)
    : ((intendedRate ?? 0) * durationMs) / 1000
}

/** Whether this share is missing of what was to be. */
function tooMuch(run: RunRecord, missing: number): boolean {
  const lengthMs = Math.max(run.durationMs, 1)
  const fineMs = faultMs(run) + Math.max(unexplainedMs, unexplainedMost * lengthMs)
  return !(missing <= Math.min(missingMost, fineMs / lengthMs))
}

function explained(run: RunRecord): string {
  return `, faults were in place for ${Math.round(faultMs(run))} ms`
}

function operationsJudged({ checks }: RunRecord): number {
  return Math.max(0, ...checks.map(({ operations }) => operations))
}

function inWords(run: RunRecord): string {
  const { load, name } = run
  if (load === null) {
    return `${name}: its body drives the system; ${operationsJudged(run)} operations reached a checker`
  }
  const { invoked, ok, failed, unknown, loop, slices } = load
  const intended = loop === 'open' ? `${Math.round(intendedOf(run, load))} intended, ` : ''
  const idle = slices.filter((slice) => slice.invoked === 0).length
  return `${name}: ${intended}${invoked} invoked, ${ok} ok, ${failed} failed, ${unknown} unknown; ${idle} of ${slices.length} slices idle`
}
