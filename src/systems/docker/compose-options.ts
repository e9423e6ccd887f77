import { z } from 'zod'
import { DeclarationError } from '../../errors.js'
import {
  nodeNameSchema,
  portsSchema,
  reachSettings,
  reachShape,
  type ReachOptions,
  type ReachSettings,
} from './adopt-options.js'
import { problemsOf } from '../../problems.js'

export interface ComposeOptions extends ReachOptions {
  /**
   * The services that are nodes, with the ports on which each listens inside its container; the first one is the one
   * that is probed. The file's other services run beside them, and no fault meets them.
   */
  services: Record<string, number[]>
  /** Values for the variables in the file. */
  env?: Record<string, string>
}

/** The options with every default in place. */
export interface ComposeSettings extends ReachSettings {
  readonly file: string
  readonly services: Readonly<Record<string, readonly number[]>>
  readonly env: Readonly<Record<string, string>>
}

const schema = z.strictObject({
  file: z.string().min(1, 'expected the path of a Compose file'),
  services: z
    .record(nodeNameSchema, portsSchema)
    .refine((services) => Object.keys(services).length > 0, 'name at least one service'),
  env: z.record(z.string(), z.string()).optional(),
  ...reachShape,
})

/** Validates what the user wrote. Throws DeclarationError that names each wrong option. */
export function composeSettings(file: string, options: ComposeOptions): ComposeSettings {
  const parsed = schema.safeParse({ ...options, file })
  if (!parsed.success) {
    throw new DeclarationError('docker-compose', `docker.compose(): ${problemsOf(parsed.error)}`, {
      hint: "write docker.compose('compose.yml', { services: { first: [6379], second: [6379] } })",
    })
  }
  return { ...reachSettings(options), file, services: options.services, env: options.env ?? {} }
}
