import { schemaVersion, type ScenarioRecord } from './record.js'

type Known = 'id' | 'name' | 'location' | 'system' | 'tierAttempted' | 'ruling'

/** The record of a scenario of which nothing is known but what is given: it has not run. */
export function blankRecord(known: Pick<ScenarioRecord, Known> & Partial<ScenarioRecord>): ScenarioRecord {
  return {
    schema: schemaVersion,
    claims: [],
    serious: false,
    arm: null,
    boundary: null,
    topologies: [],
    harness: '',
    model: null,
    checkers: [],
    nemesis: [],
    budget: null,
    tierMet: 'none',
    runs: [],
    audits: [],
    classification: null,
    reduction: null,
    regression: null,
    across: [],
    sometimes: [],
    missing: [],
    notes: [],
    finishedAt: new Date().toISOString(),
    ...known,
  }
}
