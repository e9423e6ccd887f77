import type { ScenarioRecord } from '../../session/record.js'
import { decide } from '../../verdict/decide.js'
import { belowAttempted } from '../../verdict/tier.js'
import type { Ruling } from '../../verdict/verdict.js'
import { factsOf } from './facts.js'
import { seedsDisagree } from '../runs/seeds.js'

/**
 * The verdict on what was recorded of a scenario, with what a reader asks next: in what the runs stayed below the tier
 * that was attempted, and how many seeds showed a violation when not all did.
 */
export function rulingOn(record: ScenarioRecord): Ruling {
  const ruling = decide(factsOf(record))
  const addition = ruling.verdict.startsWith('FAIL-') ? seedsDisagree(record) : shortOf(record, ruling)
  return addition === null ? ruling : { ...ruling, reason: `${ruling.reason} ${addition}` }
}

/** Rows before the eighth have a reason to which the size of the run adds nothing. */
function shortOf(record: ScenarioRecord, { row }: Ruling): string | null {
  const short = row < 8 ? null : belowAttempted(record)
  return short === null ? null : `${short.charAt(0).toUpperCase()}${short.slice(1)}.`
}
