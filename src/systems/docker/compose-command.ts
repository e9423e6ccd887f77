import { execa } from 'execa'
import type { Missing } from '../system.js'

/** The command of Docker Compose, in front of its arguments: `docker compose`, or `docker-compose` of old. */
export type ComposeCommand = readonly [string, ...string[]]

const candidates: readonly ComposeCommand[] = [['docker', 'compose'], ['docker-compose']]

/** Finds Docker Compose. Null when it is not installed. */
export async function findCompose(env: NodeJS.ProcessEnv = process.env): Promise<ComposeCommand | null> {
  for (const candidate of candidates) {
    const [file, ...args] = candidate
    const { failed } = await execa(file, [...args, 'version'], { env, reject: false, timeout: 10_000 })
    if (!failed) return candidate
  }
  return null
}

/** What to say when there is none. */
export const composeMissing: Missing = {
  what: 'Docker Compose',
  hint: 'apt-get install docker-compose-plugin (packages of Docker), docker-compose-v2 (Ubuntu) or docker-compose (Debian)',
}

/** The arguments that start everything in a Compose file as one project. */
export function upArguments(file: string, project: string): string[] {
  return ['--project-name', project, '--file', file, 'up', '--detach']
}

/** A project's name for a run: Compose allows lower-case letters, digits, dashes and underscores. */
export function projectName(run: string): string {
  return `nemesis-${run.toLowerCase().replaceAll(/[^a-z0-9_-]/g, '-')}`
}
