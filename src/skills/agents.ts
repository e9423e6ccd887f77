/** The coding agents that the skills are installed for. */
export const agentNames = ['claude', 'codex', 'copilot', 'cursor', 'gemini'] as const
export type AgentName = (typeof agentNames)[number]

/** `home`: for everything that a person works on. `project`: for everybody who works on a project. */
export type Scope = 'home' | 'project'

/** What an agent reads by itself; paths relative to the home directory or the project's root, with forward slashes. */
export interface Agent {
  /** The product, in words. */
  readonly title: string
  /** What tells that it is in use. */
  readonly marks: Readonly<Record<Scope, readonly string[]>>
  /** The folder that it looks for skills in. */
  readonly skills: string
  /** The file of instructions that a block points to the skills in; null where there is none. */
  readonly instructions: Readonly<Record<Scope, string | null>>
}

const shared = '.agents/skills'

/**
 * Where each agent looks, by its documentation: code.claude.com/docs, developers.openai.com/codex, docs.github.com/copilot,
 * cursor.com/docs and geminicli.com/docs. Cursor keeps the rules of a user in its settings, not in a file.
 */
export const agents: Readonly<Record<AgentName, Agent>> = {
  claude: {
    title: 'Claude Code',
    marks: { home: ['.claude'], project: ['.claude', 'CLAUDE.md'] },
    skills: '.claude/skills',
    instructions: { home: null, project: null },
  },
  codex: {
    title: 'Codex',
    marks: { home: ['.codex'], project: ['.codex'] },
    skills: shared,
    instructions: { home: '.codex/AGENTS.md', project: 'AGENTS.md' },
  },
  copilot: {
    title: 'GitHub Copilot CLI',
    marks: { home: ['.copilot'], project: ['.github/copilot-instructions.md'] },
    skills: shared,
    instructions: { home: '.copilot/copilot-instructions.md', project: 'AGENTS.md' },
  },
  cursor: {
    title: 'Cursor',
    marks: { home: ['.cursor'], project: ['.cursor'] },
    skills: shared,
    instructions: { home: null, project: 'AGENTS.md' },
  },
  gemini: {
    title: 'Gemini CLI',
    marks: { home: ['.gemini'], project: ['.gemini', 'GEMINI.md'] },
    skills: shared,
    instructions: { home: '.gemini/GEMINI.md', project: 'GEMINI.md' },
  },
}
