import { z } from 'zod'
import { DeclarationError } from '../../errors.js'
import { diskSchema, type DiskOption } from '../storage/disk-option.js'
import type { LaunchContext } from '../system.js'
import { isEngineHost } from './engine.js'
import { imageSourceSchema, type ImageSource } from './images/source.js'
import { parseCidr } from '../netns/subnet.js'
import { problemsOf } from '../../problems.js'

/** What runs in the containers of a system, and how they are reached. */
export interface DockerOptions {
  /** An image that the engine has, by name, or one to be made: `fromDirectory()`, `fromTar()`, `imageFromHost()`. */
  image: string | ImageSource
  /** How many nodes; each is one container. */
  count: number
  /** The ports on which a node listens inside its container; the first one is the one that is probed. */
  ports: number[]
  env?: (launch: LaunchContext) => Record<string, string>
  /** Instead of the image's own command. */
  command?: string[] | ((launch: LaunchContext) => string[])
  /** Default: `n1`, `n2`, … */
  names?: string[]
  /** The engine, as in `DOCKER_HOST`. Default: `DOCKER_HOST`, or else the usual socket. */
  host?: string
  /** The range that the run's own network takes its subnet from. Default: `10.213.0.0/16`. */
  pool?: string
  /** How long a node may take to end by itself when the run is over. Default: 0, it is killed. */
  stopGraceMs?: number
  /** Memory file systems: path inside the container to mount options, such as `{ '/data': 'size=4m' }`. */
  tmpfs?: Record<string, string>
  /** What the data directories lie on. Default: a volume each. Needs root on the engine's own machine. */
  disk?: DiskOption
  /** Who runs the command, as `uid`, `uid:gid` or a name that the image knows. */
  user?: string
  /** Linux capabilities to add, such as `SYS_PTRACE`. */
  capAdd?: string[]
  /**
   * How clients reach a node: by the container's address (`ip`, an engine on this very machine), or by a port published
   * on the engine's host (`published`, Docker Desktop and remote engines). Default `auto`: `ip` where that works.
   */
  reach?: 'auto' | 'ip' | 'published'
  /**
   * How network faults get into a container's network namespace: with `nsenter` (root beside the engine), or through a
   * `helper` container that shares it. Default `auto`: `nsenter` where that works.
   */
  enter?: 'auto' | 'nsenter' | 'helper'
  /** An image with `nft`, `tc`, `iptables`, `sleep` and `cat` for the helper. Default: made from this machine's own programs. */
  helperImage?: string
}

/** The options with every default in place. */
export interface DockerSettings {
  readonly image: string | ImageSource
  readonly names: readonly string[]
  readonly ports: readonly number[]
  readonly env: (launch: LaunchContext) => Record<string, string>
  readonly command: ((launch: LaunchContext) => string[]) | null
  readonly host: string | null
  readonly pool: string
  readonly stopGraceMs: number
  readonly tmpfs: Readonly<Record<string, string>>
  readonly disk: DiskOption | null
  readonly user: string | null
  readonly capAdd: readonly string[]
  readonly reach: 'auto' | 'ip' | 'published'
  readonly enter: 'auto' | 'nsenter' | 'helper'
  readonly helperImage: string | null
}

const aFunction = z.custom<(launch: LaunchContext) => never>(
  (value) => typeof value === 'function',
  'expected a function',
)

const optionsSchema = z
  .strictObject({
    image: z.union([z.string().min(1), imageSourceSchema]),
    count: z.int().positive().max(200),
    ports: z.array(z.int().positive().max(65_535)).min(1, 'name at least one port on which a node listens'),
    env: aFunction.optional(),
    command: z.union([z.array(z.string()).min(1), aFunction]).optional(),
    names: z
      .array(z.string().regex(/^[a-z0-9][a-z0-9-]{0,30}$/, 'a name is lower-case letters, digits and dashes'))
      .optional(),
    host: z
      .string()
      .refine(
        isEngineHost,
        "not an engine's address: write it as in DOCKER_HOST, such as unix:///var/run/docker.sock",
      )
      .optional(),
    pool: z
      .string()
      .refine((text) => parseCidr(text) !== null, 'expected an IPv4 range such as 10.213.0.0/16')
      .optional(),
    stopGraceMs: z.number().nonnegative().optional(),
    tmpfs: z.record(z.string().startsWith('/'), z.string()).optional(),
    disk: diskSchema.optional(),
    user: z.string().min(1).optional(),
    capAdd: z.array(z.string()).optional(),
    reach: z.enum(['auto', 'ip', 'published']).optional(),
    enter: z.enum(['auto', 'nsenter', 'helper']).optional(),
    helperImage: z.string().min(1).optional(),
  })
  .refine((options) => new Set(options.ports).size === options.ports.length, {
    path: ['ports'],
    error: 'a port is named twice',
  })
  .refine((options) => options.names === undefined || options.names.length === options.count, {
    path: ['names'],
    error: 'there must be as many names as nodes',
  })
  .refine((options) => options.names === undefined || new Set(options.names).size === options.names.length, {
    path: ['names'],
    error: 'a name is given twice',
  })
  .refine((options) => options.names?.includes('clients') !== true, {
    path: ['names'],
    error: '"clients" stands for whatever drives the system',
  })

/** Validates what the user wrote. Throws DeclarationError that names each wrong option. */
export function settingsOf(options: DockerOptions): DockerSettings {
  const parsed = optionsSchema.safeParse(options)
  if (!parsed.success) {
    throw new DeclarationError('docker-options', `docker(): ${problemsOf(parsed.error)}`)
  }
  const { command } = options
  return {
    image: options.image,
    names: options.names ?? Array.from({ length: options.count }, (_, i) => `n${i + 1}`),
    ports: options.ports,
    env: options.env ?? (() => ({})),
    command: command === undefined ? null : typeof command === 'function' ? command : () => command,
    host: options.host ?? null,
    pool: options.pool ?? '10.213.0.0/16',
    stopGraceMs: options.stopGraceMs ?? 0,
    tmpfs: options.tmpfs ?? {},
    disk: options.disk ?? null,
    user: options.user ?? null,
    capAdd: options.capAdd ?? [],
    reach: options.reach ?? 'auto',
    enter: options.enter ?? 'auto',
    helperImage: options.helperImage ?? null,
  }
}
