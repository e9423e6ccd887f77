import { existsSync } from 'node:fs'
import path from 'node:path'
import { agentNames, agents, type AgentName } from './agents.js'

/** The agents that are in use, by what they leave in the home directory and, when one is given, in a project. */
export function foundAgents(home: string, project: string | null): readonly AgentName[] {
  const isThere = (base: string, marks: readonly string[]) =>
    marks.some((mark) => existsSync(path.join(base, mark)))
  return agentNames.filter(
    (agent) =>
      isThere(home, agents[agent].marks.home) ||
      (project !== null && isThere(project, agents[agent].marks.project)),
  )
}
