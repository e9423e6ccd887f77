import { dirname, join } from 'node:path'
import { messageOf } from '../../errors.js'
import { historyOf, type Beginning } from '../../findings/minimise/beginnings/from-a-state.js'
import { minimise } from '../../findings/minimise/minimise.js'
import type { Reduction } from '../../session/reduction-record.js'
import { violationOf } from '../../findings/violation.js'
import { readHistory } from '../../history/read.js'
import { writeHistory } from '../../history/write.js'
import type { ScenarioRecord } from '../../session/record.js'
import { spanOf } from '../pass/pass.js'
import type { Passes } from '../runs/passes.js'

const timeoutMs = 10_000

/**
 * Makes the history of a scenario's violation small and writes what is left beside it, as `counterexample.ndjson`. Null
 * without a violation, and where it cannot be made small: see `minimise`. What a checker read from the live system is not
 * recorded, so that its violations stay as they are. Never throws: what went wrong is in the session's log.
 */
export async function minimiseHistory(
  passes: Passes,
  record: Pick<ScenarioRecord, 'runs' | 'across'>,
): Promise<Reduction['history']> {
  const { spec, environment } = passes
  const violation = violationOf(record)
  if (violation === null) return null
  const { run, check } = violation
  const checker = spec.checkers.find(({ name }) => name === check.checker)
  if (run.history === null || checker === undefined || checker.collect !== undefined) return null
  // What all runs show together, none shows by itself.
  if (!run.checks.includes(check)) return null
  try {
    const { operations } = await readHistory(join(environment.sessionDir, run.history))
    const core = await minimise({
      checker,
      model: spec.model ?? null,
      operations,
      faults: run.faults.map(spanOf),
      result: check,
      timeoutMs,
      signal: environment.signal,
    })
    if (core === null) return null
    await writeHistory(
      join(environment.sessionDir, dirname(run.history), 'counterexample.ndjson'),
      historyOf(core),
    )
    return {
      operations: { from: operations.length, to: core.operations.length },
      beginning: core.beginning === null ? null : recorded(core.beginning),
      kept: core.operations.map(({ op_id: id }) => String(id)),
      explanation: core.explanation,
      minimal: core.minimal,
      ms: core.ms,
    }
  } catch (error) {
    passes.log(`[${run.name}] the history could not be made small: ${messageOf(error)}`)
    return null
  }
}

function recorded({ init, state, shownBy }: Beginning): NonNullable<Reduction['history']>['beginning'] {
  return { init, state, shownBy: String(shownBy.op_id) }
}
