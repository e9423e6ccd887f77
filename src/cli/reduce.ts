import { resolve } from 'node:path'
import { Command } from 'commander'
import { DeclarationError, SessionError } from '../errors.js'
import { count } from '../findings/render/words.js'
import { violationOf } from '../findings/violation.js'
import { writeReport } from '../findings/report.js'
import { displayPath } from '../session/display-path.js'
import { sessionLayout } from '../session/layout.js'
import type { ScenarioRecord } from '../session/record.js'
import { readSession } from '../session/session.js'
import { milliseconds, type Duration } from '../time/duration.js'
import { exitCode } from './check/exit-code.js'
import { scenarioIn } from './replay/scenario.js'
import { tellChanges } from './replay/tell-changes.js'
import { askVitest } from './replay/vitest.js'

/**
 * `nemesis reduce SESSION --scenario S3`: fewer faults and operations that still show a recorded violation, by running
 * candidates through Vitest. The session gets the reproducer and its report is rendered again.
 *
 * Exit code 0 when it was reduced, 3 when the violation was not seen again, 2 when there is nothing to reduce.
 */
export function reduceCommand(): Command {
  return new Command('reduce')
    .description(
      'make a recorded violation small: fewer faults, then fewer operations, each candidate run again',
    )
    .argument('<session>', 'the session directory')
    .requiredOption('--scenario <id>', 'the scenario, by its id or name')
    .option('--runs <n>', 'candidates run at most (default: 60)', Number)
    .option('--within <duration>', 'no candidate starts after that, such as 5m (default: 10m)')
    .action(async (directory: string, options: { scenario: string; runs?: number; within?: string }) => {
      const record = await scenarioIn(directory, options.scenario)
      requireViolation(record)
      const answer = await askVitest(
        { kind: 'reduce', scenario: record.name, session: resolve(directory), ...limitsOf(options) },
        { from: directory, target: record, env: { NEMESIS_TIER: record.tierAttempted } },
      )
      if (answer.kind === 'refused') {
        throw new DeclarationError(
          'reduce',
          answer.message,
          answer.hint === null ? {} : { hint: answer.hint },
        )
      }
      if (answer.kind !== 'reduced') throw new SessionError('reduce', `${directory} was not reduced`)
      tellChanges(answer.changed, directory)
      process.stdout.write(`${await rendered(directory, record, answer)}\n`)
      process.exitCode = answer.seen ? exitCode.holds : exitCode.inconclusive
    })
}

function requireViolation(record: ScenarioRecord): void {
  if (violationOf(record) !== null) return
  throw new DeclarationError(
    'reduce',
    `${record.id} is ${record.ruling.verdict}: there is no violation to reduce`,
    {
      hint: 'only a scenario that is FAIL-reproducible or FAIL-nondeterministic can be reduced',
    },
  )
}

function limitsOf({ runs, within }: { readonly runs?: number; readonly within?: string }) {
  if (runs !== undefined && !(Number.isSafeInteger(runs) && runs > 0)) {
    throw new DeclarationError('reduce', '--runs is not a whole number from 1', { hint: 'such as --runs 40' })
  }
  return {
    ...(runs === undefined ? {} : { runs }),
    ...(within === undefined ? {} : { withinMs: milliseconds(within as Duration, '--within') }),
  }
}

/** Renders the session's report again, and tells what is left in one line. */
async function rendered(
  directory: string,
  { name }: ScenarioRecord,
  { seen, reruns }: { readonly seen: boolean; readonly reruns: number },
): Promise<string> {
  const { info, scenarios } = await readSession(directory)
  if (info === null) {
    throw new SessionError('no-info', `${directory}: artifacts/session.json is missing`, {
      hint: 'run the scenario again',
    })
  }
  await writeReport(resolve(directory), info)
  const reduction = scenarios.find((one) => one.name === name)?.reduction ?? null
  const report = displayPath(sessionLayout(resolve(directory)).reportMarkdown)
  const rerun = reduction?.rerun
  if (!seen || !rerun) {
    const kept = reduction?.reproducer ? ' (the reproducer of an earlier reduction is kept)' : ''
    return `the violation was not seen again in ${count(reruns, 're-run')}${kept}: ${report}`
  }
  const { events, operations, confirmed } = rerun
  return (
    `${events.from} -> ${count(events.to, 'fault event')}, ${operations.from} -> ${count(operations.to, 'operation')} ` +
    `over ${count(rerun.reruns, 're-run')}; seen in ${confirmed.reproduced} of ${confirmed.reruns} more: ${report}`
  )
}
