import { DeclarationError } from '../errors.js'
import { logProblems } from './pass/log-scan/rules.js'
import type { System, SystemSpec } from './spec.js'

/**
 * Declares a system under test: where it runs, how to connect, when it serves and when it is at rest.
 * Nothing starts until a scenario runs. Throws DeclarationError when a part is missing or of the wrong kind.
 */
export function system<Client>(name: string, spec: SystemSpec<Client>): System<Client> {
  const problems: string[] = []
  if (typeof name !== 'string' || name === '') problems.push('its name is not a non-empty string')
  if (typeof spec?.nodes?.start !== 'function')
    problems.push('`nodes` is not processes(…), docker(…) or another provider')
  if (typeof spec?.connect !== 'function')
    problems.push('`connect` is not a function from a node to a client')
  for (const hook of ['close', 'ready', 'quiesced', 'clock', 'classify'] as const) {
    if (spec?.[hook] !== undefined && typeof spec[hook] !== 'function')
      problems.push(`\`${hook}\` is not a function`)
  }
  for (const [role, find] of Object.entries(spec?.roles ?? {})) {
    if (typeof find !== 'function') problems.push(`role \`${role}\` is not a function from nodes to a node`)
  }
  if (spec?.logs !== undefined) problems.push(...logProblems(spec.logs))
  if (problems.length > 0) {
    throw new DeclarationError('system', `system('${name}'): ${problems.join('; ')}`, {
      hint: "write system('name', { nodes: processes({…}), connect: (node) => …, ready: async (nodes) => … })",
    })
  }
  return { name, spec }
}
