import type { Scheduled } from '../../../nemesis/schedule/record.js'
import type { RunRecord, ScenarioRecord } from '../../../session/record.js'
import { paragraph, strong, table, type Block } from '../markdown.js'
import { count } from '../words.js'

type Window = RunRecord['faults'][number]
type Drawn = Scheduled['faults'][number]

/**
 * Random and repeated schedules of faults, over the runs with a seed of their own: by kind what was drawn and what came of
 * it, and every fault in order with how long it and the system took. Empty when there are none.
 */
export function schedules(scenarios: readonly ScenarioRecord[]): readonly Block[] {
  return scenarios.flatMap((record) =>
    record.runs
      .filter(({ purpose }) => purpose === 'seed')
      .flatMap((run) => run.schedule.filter(tells).flatMap((one) => scheduleBlocks(record, run, one))),
  )
}

/** One fault that went in once has its row among the faults. */
function tells({ faults }: Scheduled): boolean {
  return faults.length > 1 || faults.some(({ id }) => id === null)
}

function scheduleBlocks(record: ScenarioRecord, run: RunRecord, { declared, faults }: Scheduled): Block[] {
  const windows = new Map(run.faults.map((window) => [window.id, window]))
  const rows = faults.map((drawn) => ({ drawn, window: windows.get(drawn.id ?? '') ?? null }))
  const injected = rows.flatMap(({ window }) => window ?? [])
  const landed = injected.filter(({ landed: proven }) => proven).length
  const healed = injected.filter(({ healed_ts: at }) => at !== null).length
  const lead = `: ${count(faults.length, 'fault')} drawn, ${injected.length} injected, ${landed} landed, ${healed} undone, ${faults.length - injected.length} skipped. `
  const shown = declared.length > longest ? `${declared.slice(0, longest)}…` : declared
  return [
    paragraph([strong(`${record.id}, ${run.name}`), lead, shown]),
    table(
      [
        'Kind',
        'Drawn',
        'Injected',
        'Landed',
        'Undone',
        'Skipped',
        'Landed after',
        'System ready after the heal',
      ],
      [...new Set(rows.map(kindOf))].toSorted().map((kind) => kindRow(kind, rows)),
    ),
    table(
      ['Fault', 'At', 'Target', 'Landed after', 'In place for', 'Undone', 'System ready after the heal'],
      rows.map(faultRow),
    ),
  ]
}

const longest = 400

interface Row {
  readonly drawn: Drawn
  readonly window: Window | null
}

function kindOf({ drawn, window }: Row): string {
  return window?.fault ?? drawn.fault.split(' ', 1)[0] ?? drawn.fault
}

function kindRow(kind: string, rows: readonly Row[]): string[] {
  const own = rows.filter((row) => kindOf(row) === kind)
  const windows = own.flatMap(({ window }) => window ?? [])
  return [
    kind,
    String(own.length),
    String(windows.length),
    String(windows.filter(({ landed }) => landed).length),
    String(windows.filter(({ healed_ts: at }) => at !== null).length),
    String(own.length - windows.length),
    range(windows.flatMap((window) => landedAfterMs(window) ?? [])),
    range(own.flatMap(({ drawn }) => drawn.recoveredMs ?? [])),
  ]
}

function faultRow({ drawn, window }: Row): string[] {
  if (window === null)
    return ['-', '-', drawn.fault, `skipped: ${drawn.skipped ?? 'no reason'}`, '-', '-', '-']
  const { id, fault, target, landed, landed_ts, injected_ts, healed_ts, healed, cause } = window
  const from = landed_ts ?? injected_ts
  return [
    `${id} ${fault}`,
    span(injected_ts / 1e6),
    target,
    landed ? span(landedAfterMs(window)) : `not proven: ${cause ?? 'no cause was recorded'}`,
    healed_ts === null ? '-' : span((healed_ts - from) / 1e6),
    healed_ts === null ? 'no' : `yes, by ${count(healed.length, 'reading')}`,
    drawn.recoveredMs === null ? 'not waited for' : span(drawn.recoveredMs),
  ]
}

function landedAfterMs({ landed_ts, injected_ts }: Window): number | null {
  return landed_ts === null ? null : (landed_ts - injected_ts) / 1e6
}

function range(values: readonly number[]): string {
  if (values.length === 0) return '-'
  const [least, most] = [Math.min(...values), Math.max(...values)]
  return values.length === 1 ? span(least) : `${span(least)} to ${span(most)}`
}

/** Milliseconds as seconds. */
function span(ms: number | null): string {
  return ms === null ? '-' : `${(ms / 1_000).toFixed(ms < 1_000 ? 2 : 1)} s`
}
