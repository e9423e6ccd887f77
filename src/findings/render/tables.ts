import type { Operation } from '../../history/operation.js'
import { changed } from '../../nemesis/fault.js'
import type { RunRecord } from '../../session/record.js'
import { code, fileLink, joined, table, type Block, type Inline } from './markdown.js'
import { changeInWords, counters, reading, seconds, valueInWords } from './words.js'

const longestCounterexample = 40

/** The operations of a counterexample, a row each, the first ones when there are very many. */
export function operationsTable(operations: readonly Operation[]): Block {
  const shown = operations.slice(0, longestCounterexample)
  return table(
    ['Op', 'Process', 'Invoked', 'Completed', 'Type', 'Key', 'Input', 'Output', 'Error', 'Node', 'Fault'],
    shown.map((operation) => [
      String(operation.op_id),
      String(operation.process_id),
      seconds(operation.invoke_ts),
      operation.complete_ts === null ? 'no answer' : seconds(operation.complete_ts),
      operation.op_type,
      String(operation.key ?? '-'),
      code(valueInWords(operation.input)),
      operation.complete_ts === null ? 'unknown' : code(valueInWords(operation.output)),
      operation.error ?? '-',
      operation.node_seen ?? '-',
      operation.fault_epoch ?? '-',
    ]),
  )
}

/** What every checker of every run answered and how much it did for that. */
export function checksTable(runs: readonly RunRecord[]): Block {
  return table(
    ['Run', 'Checker', 'Answer', 'Operations', 'Evidence', 'Time'],
    runs.flatMap((run) =>
      run.checks.map((check) => [
        run.name,
        check.model === null ? check.checker : `${check.checker} (${check.model})`,
        answer(check.valid, check.reason),
        `${reading(check.operations)}${check.coverage === 'subset' ? ' (a subset)' : ''}`,
        counters([check]).join(', ') || '-',
        `${Math.round(check.ms)} ms`,
      ]),
    ),
  )
}

function answer(valid: boolean | 'unknown', reason: string | null): string {
  if (valid === 'unknown') return `unknown: ${reason ?? 'no reason was recorded'}`
  return valid ? 'no violation observed' : 'violation'
}

/** Every fault window with its evidence from both sides, and what shows that it is gone. */
export function faultsTable(runs: readonly RunRecord[]): Block {
  return table(
    ['Run', 'Fault', 'In place', 'Evidence', 'Operations exposed', 'After the heal'],
    runs.flatMap((run) =>
      run.faults.map((window) => [
        run.name,
        `${window.id} ${window.fault} ${window.target}${window.mechanism === null ? '' : `, by ${window.mechanism}`}`,
        inPlace(window),
        sides(window.evidence),
        exposed(window.exposure),
        window.healed.map(changeInWords).join('; ') || '-',
      ]),
    ),
  )
}

function inPlace(window: RunRecord['faults'][number]): string {
  const to = window.healed_ts === null ? 'not healed' : `healed at ${seconds(window.healed_ts)}`
  if (window.landed) return `landed at ${seconds(window.landed_ts)}, ${to}`
  return `not proven: ${window.cause ?? 'no cause was recorded'}; ${to}`
}

/** `injector: n1->n2 dropped packets 0 -> 3; victim: …`: what changed; all readings when nothing did. */
function sides(evidence: RunRecord['faults'][number]['evidence']): string {
  const told = (['injector', 'victim'] as const).flatMap((side) => {
    const readings = evidence.filter((one) => one.side === side)
    const telling = readings.filter(changed)
    const shown = telling.length > 0 ? telling : readings
    return shown.length === 0 ? [] : [`${side}: ${shown.map(changeInWords).join(', ')}`]
  })
  return told.join('; ') || 'none'
}

function exposed(exposure: RunRecord['faults'][number]['exposure']): string {
  if (exposure === null) return '-'
  const { overlapping, exposed: met, ok, failed, unknown } = exposure
  return `${reading(met)} of ${reading(overlapping)} (${ok} ok, ${failed} failed, ${unknown} unknown)`
}

/** The runs with their seeds, what they did, and where their files are, relative to `findings/`. */
export function runsTable(runs: readonly RunRecord[]): Block {
  return table(
    ['Run', 'Seed', 'Lasted', 'Load', 'Latency', 'Recovery', 'Ended by', 'Files'],
    runs.map((run) => [
      `${run.name} (${run.purpose})`,
      String(run.seed),
      `${(run.durationMs / 1_000).toFixed(1)} s`,
      run.load === null
        ? '-'
        : `${reading(run.load.invoked)} invoked: ${run.load.ok} ok, ${run.load.failed} failed, ${run.load.unknown} unknown; ${run.load.rate.toFixed(1)}/s, ${run.load.loop} loop`,
      run.load?.latency
        ? `p50 ${reading(run.load.latency.p50)} ms, p99 ${reading(run.load.latency.p99)} ms`
        : '-',
      run.recoveryMs === null ? '-' : `${Math.round(run.recoveryMs)} ms`,
      run.error === null ? 'its end' : `${run.error.phase}: ${run.error.message}`,
      run.history === null && run.logs.length === 0 ? '-' : joined(filesOf(run), ', '),
    ]),
  )
}

/** Links to the history and the logs of a run, relative to `findings/`. */
export function filesOf(run: RunRecord): Inline[] {
  const logs = run.logs.map((log) => fileLink(`../${log}`, log.slice(log.lastIndexOf('/') + 1)))
  return run.history === null ? logs : [fileLink(`../${run.history}`, 'history'), ...logs]
}
