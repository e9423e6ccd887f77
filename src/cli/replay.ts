import { statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Command } from 'commander'
import { DeclarationError, SessionError } from '../errors.js'
import { readReproducer } from '../findings/reduction/reproducer.js'
import { changedSince } from '../scenario/declaration/changed-since.js'
import { seedVariable } from '../scenario/declaration/seed.js'
import type { ExitCode } from './check/exit-code.js'
import { recordedSince, sessionsBeside } from './replay/recorded-since.js'
import { codeOf, scenarioIn } from './replay/scenario.js'
import { tellChanges } from './replay/tell-changes.js'
import { askVitest, runVitest } from './replay/vitest.js'

interface ReplayOptions {
  readonly scenario?: string
  readonly seed?: number
  readonly full?: true
}

/**
 * `nemesis replay SESSION --scenario S3`: a recorded scenario again, through Vitest. Its reduced reproducer when there is
 * one; with `--full`, with another seed, or without one the same seed, configuration and fault sequence as recorded.
 * `nemesis replay FILE` runs a reproducer by itself.
 *
 * Exit code 0 when the scenario passes, 1 when it fails, 3 when it is inconclusive, 2 when the session has no such
 * scenario or the run left no record of it. A scenario that has changed since is run, and said to have changed.
 */
export function replayCommand(): Command {
  return new Command('replay')
    .description(
      'run a recorded scenario again: its reduced reproducer, else the same seed and fault sequence',
    )
    .argument('<session>', 'the session directory, or a reproducer.json')
    .option('--scenario <id>', 'the scenario of the session, by its id or name')
    .option('--seed <n>', 'the whole scenario with another seed than the recorded one', seedOf)
    .option('--full', 'the whole scenario, although it has been reduced')
    .action(async (path: string, options: ReplayOptions) => {
      process.exitCode = isFile(path) ? await replayFile(path) : await replaySession(path, options)
    })
}

async function replaySession(directory: string, { scenario, seed, full }: ReplayOptions): Promise<ExitCode> {
  if (scenario === undefined) {
    throw new DeclarationError('scenario', `which scenario of ${directory} is to be run again?`, {
      hint: 'name it: --scenario S1',
    })
  }
  const record = await scenarioIn(directory, scenario)
  const reproducer = record.reduction?.reproducer ?? null
  if (reproducer !== null && full !== true && seed === undefined)
    return replayFile(join(directory, reproducer))
  const recorded = seed ?? record.runs[0]?.seed
  const before = await sessionsBeside(directory)
  const ended = await runVitest({
    from: directory,
    target: record,
    env: {
      NEMESIS_TIER: record.tierAttempted,
      ...(recorded === undefined ? {} : { [seedVariable]: String(recorded) }),
    },
  })
  const again = await recordedSince(before, { session: directory, scenario: record.name })
  if (again === null) {
    throw new SessionError('no-record', `Vitest ended with ${ended} and left no record of '${record.name}'`, {
      hint: 'read what it printed above: the scenario may have been renamed, or its config does not include its file',
    })
  }
  tellChanges(changedSince(record, again), directory)
  return codeOf(again.ruling.verdict)
}

/** Runs a reproducer, wherever in its project the file is. */
async function replayFile(file: string): Promise<ExitCode> {
  const { scenario } = await readReproducer(file)
  const answer = await askVitest(
    { kind: 'replay', scenario: scenario.name, reproducer: resolve(file) },
    { from: dirname(file), target: scenario, env: {} },
  )
  if (answer.kind === 'replayed') {
    tellChanges(answer.changed, file)
    return codeOf(answer.verdict)
  }
  throw new SessionError('replay', answer.kind === 'refused' ? answer.message : `${file} was not run`, {
    hint: (answer.kind === 'refused' ? answer.hint : null) ?? 'read what Vitest printed above',
  })
}

function seedOf(text: string): number {
  const seed = Number(text)
  if (text.trim() !== '' && Number.isSafeInteger(seed) && seed >= 0) return seed
  throw new DeclarationError('seed', `--seed ${text} is not a seed`, {
    hint: 'a seed is a whole number from 0, as printed in the report',
  })
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
