import { z } from 'zod'
import { DeclarationError } from '../../errors.js'
import { isEngineHost } from './engine.js'
import { problemsOf } from '../../problems.js'

/** A container by id or name, or an object that knows its id, such as one that Testcontainers has started. */
export type AdoptableContainer = string | { getId(): string }

/** How faults and clients get at containers that this package has not made. */
export interface ReachOptions {
  /** The engine, as in `DOCKER_HOST`. Default: `DOCKER_HOST`, or else the usual socket. */
  host?: string
  /**
   * How clients reach a node: by the container's address (`ip`), or by the port that the container publishes on the
   * engine's host (`published`). Default `auto`: `ip` where that works.
   */
  reach?: 'auto' | 'ip' | 'published'
  /** As in `docker()`. */
  enter?: 'auto' | 'nsenter' | 'helper'
  /** As in `docker()`. */
  helperImage?: string
  /**
   * Where each container keeps its data: a path inside it, on a volume or a directory of the host. Storage faults need
   * it, and root on the engine's own machine.
   */
  data?: string
}

export interface AdoptOptions extends ReachOptions {
  /** The ports on which a node listens inside its container; the first one is the one that is probed. */
  ports: number[]
  /** Default: `n1`, `n2`, … */
  names?: string[]
}

/** The reach options with every default in place. */
export interface ReachSettings {
  readonly host: string | null
  readonly reach: 'auto' | 'ip' | 'published'
  readonly enter: 'auto' | 'nsenter' | 'helper'
  readonly helperImage: string | null
  readonly data: string | null
}

export const reachShape = {
  host: z
    .string()
    .refine(
      isEngineHost,
      "not an engine's address: write it as in DOCKER_HOST, such as unix:///var/run/docker.sock",
    )
    .optional(),
  reach: z.enum(['auto', 'ip', 'published']).optional(),
  enter: z.enum(['auto', 'nsenter', 'helper']).optional(),
  helperImage: z.string().min(1).optional(),
  data: z.string().regex(/^\/./, 'expected an absolute path inside the containers').optional(),
}

export const portsSchema = z
  .array(z.int().positive().max(65_535))
  .min(1, 'name at least one port on which a node listens')

export const nodeNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]*$/, "a name is letters, digits, '.', '_' and '-'")
  .refine((name) => name !== 'clients', '"clients" stands for whatever drives the system')

const containerSchema = z.custom<AdoptableContainer>(
  (value) =>
    (typeof value === 'string' && value !== '') ||
    (typeof value === 'object' &&
      value !== null &&
      typeof (value as { getId?: unknown }).getId === 'function'),
  'expected an id, a name, or an object with getId()',
)

const adoptSchema = z
  .strictObject({
    containers: z.array(containerSchema).min(1, 'name at least one container'),
    ports: portsSchema,
    names: z.array(nodeNameSchema).optional(),
    ...reachShape,
  })
  .refine((options) => options.names === undefined || options.names.length === options.containers.length, {
    path: ['names'],
    error: 'there must be as many names as containers',
  })
  .refine((options) => options.names === undefined || new Set(options.names).size === options.names.length, {
    path: ['names'],
    error: 'a name is given twice',
  })

/** A container to be adopted. */
export interface Adoption {
  readonly name: string
  readonly container: AdoptableContainer
  readonly ports: readonly number[]
}

/** Validates what the user wrote. Throws DeclarationError that names each wrong option. */
export function adoptionsOf(
  containers: AdoptableContainer | readonly AdoptableContainer[],
  options: AdoptOptions,
): { adoptions: readonly Adoption[]; reach: ReachSettings } {
  const list = Array.isArray(containers) ? containers : [containers]
  const parsed = adoptSchema.safeParse({ ...options, containers: list })
  if (!parsed.success) {
    throw new DeclarationError('docker-adopt', `docker.adopt(): ${problemsOf(parsed.error)}`, {
      hint: "write docker.adopt([first, second], { ports: [6379], names: ['primary', 'replica'] })",
    })
  }
  const { names, ports } = parsed.data
  return {
    adoptions: parsed.data.containers.map((container, i) => ({
      name: names?.[i] ?? `n${i + 1}`,
      container,
      ports,
    })),
    reach: reachSettings(options),
  }
}

/** The options with defaults filled in. */
export function reachSettings({ host, reach, enter, helperImage, data }: ReachOptions): ReachSettings {
  return {
    host: host ?? null,
    reach: reach ?? 'auto',
    enter: enter ?? 'auto',
    helperImage: helperImage ?? null,
    data: data ?? null,
  }
}
