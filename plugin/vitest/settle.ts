import type { TestContext } from 'vitest'
import { readCounterexample } from '../../src/findings/counterexample.js'
import { overlapLines } from '../../src/findings/overlap-lines.js'
import { proofOf, type Proof } from '../../src/findings/violation.js'
import type { Operation } from '../../src/history/operation.js'
import { displayPath } from '../../src/session/display-path.js'
import type { ScenarioRecord } from '../../src/session/record.js'
import { lostInWords } from '../../src/scenario/ruling/regression.js'
import { regressionOf } from '../../src/verdict/regression.js'
import type { CallSite } from './call-site.js'
import type { WorkerSettings } from './settings.js'
import { InconclusiveError, RegressionError, ViolationError } from './verdict-error.js'

const mostDrawn = 12
const mostNamed = 40

/**
 * Turns a verdict into the state of the Vitest test: PASS passes, FAIL throws ViolationError, and everything else is
 * skipped with its reason and a warning, or throws InconclusiveError under the strict gate. So does a test that is
 * itself broken, under any gate.
 *
 * A scenario that is pinned to a known-bad version is the other way round: it passes when it fails, and throws
 * RegressionError when it ran and did not.
 */
export async function settle(
  context: TestContext,
  record: ScenarioRecord,
  options: { readonly settings: WorkerSettings; readonly sessionDir: string; readonly site: CallSite | null },
): Promise<void> {
  const { verdict, reason } = record.ruling
  const session = displayPath(options.sessionDir)
  const regression = regressionOf(record.regression, verdict)
  if (regression === 'expected') return
  if (regression === 'lost') throw new RegressionError(lost(record, session), options.site)
  if (verdict.startsWith('PASS-')) return
  if (verdict.startsWith('FAIL-')) {
    // A history that cannot be read any more does not hide what was found in it.
    const shown = await readCounterexample(options.sessionDir, record).catch(() => [])
    throw new ViolationError(violation(record, { session, shown }), options.site)
  }
  const summary = `${verdict}: ${reason}`
  if (record.runs.some(({ error }) => error?.kind === 'harness'))
    throw new InconclusiveError(summary, options.site)
  if (options.settings.gate === 'strict') {
    throw new InconclusiveError(`${summary}\n  report: ${session}/findings/report.md`, options.site)
  }
  await context.annotate(summary, 'warning')
  context.skip(summary)
}

function lost(record: ScenarioRecord, session: string): string {
  const { verdict, reason } = record.ruling
  return [lostInWords(record), `${verdict}: ${reason}`, `report: ${session}/findings/report.md`].join('\n  ')
}

/** Each thing once: what does not hold, the shortest proof of it, how often it was seen, and where to go from here. */
function violation(
  record: ScenarioRecord,
  { session, shown }: { session: string; shown: readonly Operation[] },
): string {
  const claims = record.claims.map(({ id, text }) => `${id} does not hold: ${text}`)
  const checks = record.runs.flatMap((run) => run.checks).filter(({ valid }) => valid === false)
  const found = proofOf(record)
  const proof =
    found === null
      ? [record.ruling.reason]
      : [`${checks[0]?.checker}: ${found.explanation}`, ...operationsOf(found, shown)]
  return [
    `${record.ruling.verdict}: ${claims.join('; ')}`,
    ...proof,
    seenIn(record),
    `report: ${session}/findings/report.md`,
    `replay: npx nemesis replay ${session} --scenario ${record.id}`,
  ].join('\n  ')
}

/** The operations as bars that show which overlapped, or no more than their ids when they are many. */
function operationsOf({ operations }: Proof, shown: readonly Operation[]): string[] {
  const isDrawn = shown.length > 0 && shown.length <= mostDrawn
  return isDrawn
    ? ['operations, in order of invocation:', ...overlapLines(shown).map((line) => `  ${line}`)]
    : [`operations: ${idsOf(operations)}`]
}

function idsOf(operations: readonly string[]): string {
  const left = operations.length - mostNamed
  return left > 0 ? `${operations.slice(0, mostNamed).join(', ')} and ${left} more` : operations.join(', ')
}

/** How often it was seen: with its seed and on its system, experiments aside. */
function seenIn({ runs }: ScenarioRecord): string {
  const own = runs.filter(({ purpose }) => purpose !== 'experiment')
  const violated = own.filter(violates)
  const [first] = violated
  if (first === undefined) return `seen over all ${own.length} runs together`
  const same = own.filter(({ seed, system }) => seed === first.seed && system === first.system)
  return `seen in ${violated.length} of ${same.length} runs with the same seed`
}

function violates({ checks }: ScenarioRecord['runs'][number]): boolean {
  return checks.some(({ valid }) => valid === false)
}
