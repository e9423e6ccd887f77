import { Command } from 'commander'
import { execa } from 'execa'
import { DeclarationError } from '../errors.js'
import { readSession } from '../session/session.js'
import { seedVariable } from '../scenario/seed.js'
import type { ScenarioRecord } from '../session/record.js'
import { exitCode, type ExitCode } from './check/exit-code.js'
import { newest } from './replay/newest.js'
import { rootOf } from './replay/root.js'

/**
 * `nemesis replay SESSION --scenario S3`: the same seed, configuration and fault sequence again, through Vitest.
 * Exit code 0 when the scenario passes, 1 when it fails, 3 when it is inconclusive, 2 when the session has no such
 * scenario or the run left no record of it.
 */
export function replayCommand(): Command {
  return new Command('replay')
    .description('run a recorded scenario again with the same seed, configuration and fault sequence')
    .argument('<session>', 'the session directory')
    .requiredOption('--scenario <id>', 'the scenario, by its id or name')
    .option('--seed <n>', 'another seed than the recorded one', Number)
    .action(async (directory: string, options: { scenario: string; seed?: number }) => {
      const { scenarios } = await readSession(directory)
      const record = find(scenarios, options.scenario, directory)
      const [file = ''] = (record.location ?? '').split(':')
      const root = file === '' ? null : rootOf(directory, file)
      const seed = options.seed ?? record.runs[0]?.seed
      const ended = await execa(
        'vitest',
        [
          'run',
          ...(root === null ? [] : ['--root', root]),
          ...(file === '' ? [] : [file]),
          '-t',
          escapePattern(record.name),
        ],
        {
          preferLocal: true,
          stdio: 'inherit',
          reject: false,
          env: {
            NEMESIS_TIER: record.tierAttempted,
            ...(seed === undefined ? {} : { [seedVariable]: String(seed) }),
          },
        },
      )
      const again = await newest(directory, record.name)
      process.exitCode = again === null ? ended.exitCode || exitCode.unreadable : codeOf(again)
    })
}

function find(scenarios: readonly ScenarioRecord[], wanted: string, directory: string): ScenarioRecord {
  const record = scenarios.find(({ id, name }) => id === wanted || name === wanted)
  if (record !== undefined) return record
  throw new DeclarationError('scenario', `${directory} has no scenario '${wanted}'`, {
    hint: `it has: ${scenarios.map(({ id, name }) => `${id} (${name})`).join(', ') || 'none'}`,
  })
}

function codeOf({ ruling: { verdict } }: ScenarioRecord): ExitCode {
  if (verdict.startsWith('PASS-')) return exitCode.holds
  return verdict.startsWith('FAIL-') ? exitCode.violation : exitCode.inconclusive
}

/** Vitest's -t takes a regular expression. */
function escapePattern(name: string): string {
  return `${name.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`
}
