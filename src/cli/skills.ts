import { homedir } from 'node:os'
import path from 'node:path'
import { Argument, Command, Option } from 'commander'
import { ownVersion } from '../environment/own-package.js'
import { SkillsError } from '../errors.js'
import { projectRoot } from '../plan/project-root.js'
import { agentNames, type AgentName } from '../skills/agents.js'
import type { Change } from '../skills/change.js'
import { foundAgents } from '../skills/found.js'
import { installSkills, removeSkills, updateSkills } from '../skills/install.js'
import { shippedFiles } from '../skills/shipped.js'

const actions = ['install', 'update', 'remove'] as const

interface Options {
  readonly agent?: readonly AgentName[]
  readonly project?: true
}

/** `nemesis skills ACTION`: the skills for coding agents, in the home directory or in the project. */
export function skillsCommand(): Command {
  return new Command('skills')
    .description(
      'install, update or remove the skills for coding agents (never overwrites what you have changed)',
    )
    .addArgument(new Argument('<action>', 'what to do').choices(actions))
    .addOption(
      new Option('--agent <names...>', 'only for these; default: those that are found, or have them').choices(
        agentNames,
      ),
    )
    .option('--project', 'in the project that this directory belongs to, not in the home directory')
    .action(async (action: (typeof actions)[number], options: Options) => {
      const changes = await carryOut(action, options)
      process.stdout.write(
        inWords(changes)
          .map((line) => `${line}\n`)
          .join(''),
      )
    })
}

async function carryOut(action: (typeof actions)[number], { agent, project }: Options) {
  const root = project === true ? projectRoot(path.join(process.cwd(), 'package.json')) : null
  const place = {
    base: root ?? homedir(),
    scope: root === null ? ('home' as const) : ('project' as const),
    shipped: await shippedFiles(),
    version: ownVersion(),
  }
  switch (action) {
    case 'install':
      return installSkills(place, agent ?? found(root))
    case 'update':
      return updateSkills(place, agent ?? null)
    case 'remove':
      return removeSkills(place, agent ?? null)
  }
}

function found(project: string | null): readonly AgentName[] {
  const names = foundAgents(homedir(), project)
  if (names.length > 0) return names
  throw new SkillsError('no-agent', `none of ${agentNames.join(', ')} is in use here`, {
    hint: 'name one: nemesis skills install --agent codex',
  })
}

/** A line for each skill and file of instructions; what was kept has one of its own with the reason. */
function inWords(changes: readonly Change[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { what, path: file } of changes.filter((one) => one.what !== 'kept')) {
    const [, skill] = /^(.*\/skills\/[^/]+)\//.exec(file) ?? []
    const line = `${what.padEnd(9)}  ${skill ?? file}`
    counts.set(line, (counts.get(line) ?? 0) + 1)
  }
  const lines = [...counts].map(([line, count]) => (count === 1 ? line : `${line} (${count} files)`))
  const keptLines = changes
    .filter(({ what }) => what === 'kept')
    .map(({ path: file, because }) => `kept       ${file}: ${because}`)
  const all = [...lines, ...keptLines]
  return all.length === 0 ? ['nothing to do'] : all
}
