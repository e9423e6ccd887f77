import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { Command, Option } from 'commander'
import { createTwoFilesPatch } from 'diff'
import pc from 'picocolors'
import { PlanError } from '../errors.js'
import {
  plannedChanges,
  type FileChange,
  type OnExists,
  type Unready,
  type Untouched,
} from '../plan/author/changes.js'
import { writeChanges } from '../plan/author/write.js'
import { mayBeExecuted } from '../plan/lint/lint.js'
import type { Plan } from '../plan/plan.js'
import { projectRoot } from '../plan/project-root.js'
import { readPlan } from '../plan/read-plan.js'

interface Options {
  readonly scenario?: readonly string[]
  readonly onExists: OnExists | 'ask'
  readonly dryRun?: true
}

/**
 * `nemesis author FILE`: writes the scenarios of a plan to their target files, after showing what it is going to change.
 * It stages what it writes and never commits. Exit code 1 for a plan or a scenario that may not be executed, 2 for a target that may not
 * be written.
 */
export function authorCommand(): Command {
  return new Command('author')
    .description(
      'write scenario skeletons of a plan to their target files (stages, never commits, never overwrites)',
    )
    .argument('<file>', 'the plan document')
    .option('--scenario <ids...>', 'only these scenarios, by their ids')
    .addOption(
      new Option('--on-exists <answer>', 'what to do with a scenario that is there already')
        .choices(['ask', 'skip', 'sibling', 'overwrite'])
        .default('ask'),
    )
    .option('--dry-run', 'show what would change, and write nothing')
    .action(async (file: string, options: Options) => {
      const { plan, source } = await readPlan(file)
      const root = projectRoot(file)
      if (!mayBeExecuted(plan, source, root)) {
        say(`${file} may not be executed, so nothing is written; see: nemesis plan check ${file}`)
        process.exitCode = 1
        return
      }
      const { changes, untouched, unready } = await plannedChanges({
        plan,
        planPath: path.relative(root, path.resolve(file)).split(path.sep).join('/'),
        root,
        ...(options.scenario === undefined ? {} : { only: known(options.scenario, plan) }),
        onExists: (scenario, target) => answerFor(options.onExists, scenario, path.relative(root, target)),
      })
      for (const change of changes) say(patchOf(change, root))
      for (const one of untouched) say(inWords(one, root))
      for (const one of unready) say(unreadyInWords(one, file))
      if (unready.length > 0) process.exitCode = 1
      if (options.dryRun === true) return
      say(closing(changes, await writeChanges(changes, root)))
    })
}

function known(ids: readonly string[], plan: Plan): readonly string[] {
  for (const id of ids) {
    if (plan.scenarios.some((scenario) => scenario.id === id)) continue
    const hint = `it has ${plan.scenarios.map((scenario) => scenario.id).join(', ') || 'none'}`
    throw new PlanError('scenario', plan.file, undefined, `the plan has no scenario ${id}`, hint)
  }
  return ids
}

async function answerFor(given: Options['onExists'], scenario: string, file: string): Promise<OnExists> {
  if (given !== 'ask') return given
  // Nobody is there to be asked.
  if (!process.stdin.isTTY) return 'skip'
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question(
      `${scenario} is in ${file} already: [s]kip, si[b]ling or [o]verwrite? `,
    )
    return /^o/i.test(answer) ? 'overwrite' : /^(?:b|sib)/i.test(answer) ? 'sibling' : 'skip'
  } finally {
    terminal.close()
  }
}

function patchOf({ file, before, after }: FileChange, root: string): string {
  const name = path.relative(root, file)
  const patch = createTwoFilesPatch(before === null ? '/dev/null' : name, name, before ?? '', after, '', '')
  return patch
    .split('\n')
    .filter((line) => !/^=+$/.test(line))
    .map((line) => (line.startsWith('+') ? pc.green(line) : line.startsWith('-') ? pc.red(line) : line))
    .join('\n')
}

function inWords({ file, scenario, drifted }: Untouched, root: string): string {
  const state = drifted
    ? 'stays as it is, although the plan has changed since it was generated'
    : 'is there already'
  return `${scenario} ${state}: ${path.relative(root, file)}`
}

function unreadyInWords({ scenario, at, open }: Unready, file: string): string {
  return `${scenario} is not written, as it would be improvised: fill in its ${open.join(', ')} (${file}:${at.line})`
}

function closing(
  changes: readonly FileChange[],
  { formatter, unstaged }: Awaited<ReturnType<typeof writeChanges>>,
): string {
  if (changes.length === 0) return 'nothing to write'
  const scenarios = changes.flatMap((change) => change.scenarios)
  return [
    `wrote ${scenarios.join(', ')} to ${changes.length === 1 ? '1 file' : `${changes.length} files`}`,
    formatter === null ? 'not formatted' : `formatted by ${formatter}`,
    unstaged === null ? 'staged, not committed' : `not staged: ${unstaged}`,
  ].join('; ')
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
