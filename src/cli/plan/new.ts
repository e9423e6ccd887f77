import path from 'node:path'
import { Command, Option } from 'commander'
import { count } from '../../findings/render/words.js'
import { newPlan, type NewPlan } from '../../plan/new/new-plan.js'
import type { Findings } from '../../plan/new/findings.js'
import { projectRoot } from '../../plan/project-root.js'
import { placesToFill } from './places-to-fill.js'

interface Options {
  readonly change?: string
  readonly project?: true
}

/**
 * `nemesis plan new SLUG`: scaffolds a plan and lists the places that a person has to fill. Exit code 0, also when a change
 * warrants no plan; 2 when there is such a plan already or git does not know the revisions.
 */
export function planNewCommand(): Command {
  return new Command('new')
    .description('scaffold a plan from what the repository tells of itself, or from a change')
    .argument('<slug>', 'its name: docs/testing-plans/<slug>.md')
    .addOption(
      new Option('--change <revisions>', 'about a commit or a range, such as HEAD or main..HEAD').conflicts(
        'project',
      ),
    )
    .option('--project', 'about the whole project (this is what happens without --change)')
    .action(async (slug: string, { change }: Options) => {
      const root = projectRoot(path.join(process.cwd(), slug))
      const made = await newPlan(root, slug, change ?? null)
      process.stdout.write(`${made.kind === 'written' ? written(made, root) : notWarranted(made)}\n`)
    })
}

/** The file is named as somebody has to type it where the command was typed. */
function written(made: Extract<NewPlan, { kind: 'written' }>, root: string): string {
  const { findings, open } = made
  const file = path.relative(process.cwd(), path.join(root, made.file))
  return [
    `${file}: scaffolded from ${found(findings)}`,
    'Nothing in it is confirmed: what looks like a claim is quoted from where it stands, for you to confirm or to take out.',
    '',
    ...placesToFill(file, open),
    '',
    `${count(open.length, 'place')} to fill; then: nemesis plan check ${file}`,
  ].join('\n')
}

function found({ toolbox, tests, proposals, scope }: Findings): string {
  const changed = scope === null ? [] : [`${count(scope.change.files.length, 'file')} that changed`]
  return [
    ...changed,
    `${count(toolbox.length, 'tool')} of the toolbox`,
    count(tests.length, 'test'),
    `${count(proposals.length, 'quote')} that may be claims`,
  ].join(', ')
}

const because = {
  documents: 'documents',
  comments: 'comments',
  imports: 'imports that were taken out',
  typos: 'letters of messages',
} as const

function notWarranted({ scope, reasons, instead }: Extract<NewPlan, { kind: 'not-warranted' }>): string {
  const what = reasons.map((reason) => because[reason]).join(' and ')
  return [
    `no plan warranted: ${scope.change.label} changes only ${what}, and no file was written`,
    'run instead:',
    ...instead.map((test) => `  ${test}`),
  ].join('\n')
}
