import { blankRecord } from '../../src/session/blank-record.js'
import type { ScenarioRecord } from '../../src/session/record.js'
import type { WorkerSettings } from './settings.js'

/** The record of a scenario of which there is only the name: `scenario.todo('name')`. */
export function todoRecord(
  name: string,
  declared: { readonly location: string; readonly tier: WorkerSettings['tier'] },
): ScenarioRecord {
  return blankRecord({
    id: name,
    name,
    location: declared.location,
    system: 'not declared',
    tierAttempted: declared.tier,
    ruling: { verdict: 'NOT-RUN', row: 1, reason: 'it is still to be written' },
  })
}
