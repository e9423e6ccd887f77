import { displayPath } from '../session/display-path.js'
import { sessionLayout } from '../session/layout.js'
import type { ScenarioRecord } from '../session/record.js'
import { writeAtomically } from '../session/write-atomically.js'
import { readCounterexample } from './counterexample.js'
import { renderFinding } from './render/finding.js'

/** Writes `findings/<scenario>.md` of a session from the scenario's record and its recorded history. */
export async function writeFinding(sessionDir: string, record: ScenarioRecord): Promise<void> {
  const counterexample = await readCounterexample(sessionDir, record)
  const text = renderFinding(record, {
    sessionPath: displayPath(sessionDir),
    hypotheses: [],
    counterexample,
  })
  await writeAtomically(sessionLayout(sessionDir).finding(record.name), text)
}
