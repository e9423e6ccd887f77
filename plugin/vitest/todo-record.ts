import { schemaVersion, type ScenarioRecord } from '../../src/session/record.js'
import type { WorkerSettings } from './settings.js'

/** The record of a scenario of which there is only the name: `scenario.todo('name')`. */
export function todoRecord(
  name: string,
  declared: { readonly location: string; readonly tier: WorkerSettings['tier'] },
): ScenarioRecord {
  return {
    schema: schemaVersion,
    id: name,
    name,
    location: declared.location,
    claims: [],
    serious: false,
    system: 'not declared',
    model: null,
    checkers: [],
    nemesis: [],
    budget: null,
    tierAttempted: declared.tier,
    tierMet: 'none',
    ruling: { verdict: 'NOT-RUN', row: 1, reason: 'it is still to be written' },
    runs: [],
    across: [],
    sometimes: [],
    missing: [],
    notes: [],
    finishedAt: new Date().toISOString(),
  }
}
