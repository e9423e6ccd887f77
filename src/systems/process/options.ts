import { z } from 'zod'
import { DeclarationError } from '../../errors.js'
import { parseCidr } from '../netns/subnet.js'
import { diskSchema, type DiskOption } from '../storage/disk-option.js'
import type { LaunchContext } from '../system.js'
import { problemsOf } from '../../problems.js'

/** What to run, and how its nodes reach each other. */
export interface ProcessesOptions {
  /**
   * The program and its arguments; no shell comes in between. A function is called once for each node, and once more
   * with stand-in ports when the machine is checked for the program, so it should have no other effect than writing
   * to `dataDir`. The program must stay in the foreground.
   */
  readonly command: readonly string[] | ((launch: LaunchContext) => readonly string[])
  /** How many nodes. */
  readonly count: number
  /** The ports that each node serves, by the number under which scenarios speak of them; real ones are handed out. */
  readonly ports: readonly number[]
  /** Added to this process's own environment. */
  readonly env?: (launch: LaunchContext) => Readonly<Record<string, string>>
  /** Working directory. Default: that of this process. */
  readonly cwd?: string
  /** Default: `n1`, `n2`, … */
  readonly names?: (index: number) => string
  /**
   * A fault proxy in front of every declared port, on the links from clients to nodes (`clients`) and between nodes
   * (`peers`). Default: both. Without it there are no network faults; nodes then reach each other directly.
   */
  readonly proxy?: boolean | { readonly clients?: boolean; readonly peers?: boolean }
  /**
   * How nodes are joined: `loopback`, with the fault proxy between them, or a network namespace each on a bridge of
   * the run's own (`namespaces`), where faults are rules that see every packet. The latter needs root on Linux, and
   * programs that listen on the host of `self(port)`. Default: `loopback`.
   */
  readonly network?: 'loopback' | 'namespaces'
  /** The range that the namespaces' subnet is taken from. Default: `10.213.0.0/16`. */
  readonly pool?: string
  /** How long a node may take to end after SIGTERM when the system is stopped, in milliseconds. Default 2000. */
  readonly stopGraceMs?: number
  /** What the data directories lie on. Default: plain directories. Needs root. */
  readonly disk?: DiskOption
}

/** Options with defaults filled in. */
export interface ProcessesSettings {
  readonly command: ProcessesOptions['command']
  readonly ports: readonly number[]
  readonly env: (launch: LaunchContext) => unknown
  readonly cwd: string
  readonly names: readonly string[]
  readonly proxy: { readonly clients: boolean; readonly peers: boolean }
  /** Null on loopback. */
  readonly namespaces: { readonly pool: string } | null
  readonly stopGraceMs: number
  readonly disk: DiskOption | null
}

const countMax = 64

const functionSchema = <F>(what: string) =>
  z.custom<F>((value) => typeof value === 'function', { error: `expected a function ${what}` })

const commandSchema = z.array(z.string()).nonempty('expected the program and its arguments')

const optionsSchema = z.strictObject({
  command: z.union([commandSchema, functionSchema('of the launch context')], {
    error: "expected an array such as ['node', 'server.mjs'], or a function that returns one",
  }),
  count: z.int().min(1).max(countMax),
  ports: z
    .array(z.int().min(1).max(65_535))
    .nonempty('expected at least one port')
    .refine((ports) => new Set(ports).size === ports.length, 'the same port is listed twice'),
  env: functionSchema('of the launch context').optional(),
  cwd: z.string().min(1).optional(),
  names: functionSchema('of the index').optional(),
  proxy: z
    .union(
      [z.boolean(), z.strictObject({ clients: z.boolean().optional(), peers: z.boolean().optional() })],
      {
        error: 'expected true, false or { clients?: boolean, peers?: boolean }',
      },
    )
    .optional(),
  network: z.enum(['loopback', 'namespaces']).optional(),
  pool: z
    .string()
    .refine((text) => parseCidr(text) !== null, 'expected an IPv4 range such as 10.213.0.0/16')
    .optional(),
  stopGraceMs: z.number().min(0).max(600_000).optional(),
  disk: diskSchema.optional(),
})

/** Checks the options and fills in the defaults. Throws DeclarationError that names each wrong option. */
export function settingsOf(options: ProcessesOptions): ProcessesSettings {
  const parsed = optionsSchema.safeParse(options)
  if (!parsed.success) throw declarationError(problemsOf(parsed.error))
  const { command, count, ports, env, cwd, names, stopGraceMs, disk } = options
  const namespaces = options.network === 'namespaces'
  if (namespaces && options.proxy !== undefined && options.proxy !== false) {
    throw declarationError(
      "`proxy` and network: 'namespaces' exclude each other: in namespaces faults are rules, and nothing stands between the nodes",
    )
  }
  if (!namespaces && options.pool !== undefined)
    throw declarationError("`pool` goes with network: 'namespaces'")
  const proxy = options.proxy ?? !namespaces
  return {
    command,
    ports,
    env: env ?? (() => ({})),
    cwd: cwd ?? process.cwd(),
    names: nodeNames(count, names ?? ((index) => `n${index + 1}`)),
    proxy:
      typeof proxy === 'boolean'
        ? { clients: proxy, peers: proxy }
        : { clients: proxy.clients ?? true, peers: proxy.peers ?? true },
    namespaces: namespaces ? { pool: options.pool ?? '10.213.0.0/16' } : null,
    stopGraceMs: stopGraceMs ?? 2_000,
    disk: disk ?? null,
  }
}

/** The command line of one node. Throws DeclarationError when `command` throws or returns something else. */
export function commandOf(settings: ProcessesSettings, launch: LaunchContext): readonly string[] {
  const { command } = settings
  if (typeof command !== 'function') return command
  return called('command', launch, commandSchema, () => command(launch))
}

/** The additional environment of one node. Throws DeclarationError when `env` throws or returns something else. */
export function envOf(settings: ProcessesSettings, launch: LaunchContext): Readonly<Record<string, string>> {
  return called('env', launch, z.record(z.string(), z.string()), () => settings.env(launch))
}

function called<T>(option: string, launch: LaunchContext, schema: z.ZodType<T>, call: () => unknown): T {
  let answer: unknown
  try {
    answer = call()
  } catch (error) {
    throw declarationError(`\`${option}\` threw for node ${launch.name}: ${String(error)}`, error)
  }
  const parsed = schema.safeParse(answer)
  if (parsed.success) return parsed.data
  throw declarationError(
    `\`${option}\` returned something wrong for node ${launch.name}: ${problemsOf(parsed.error)}`,
  )
}

function nodeNames(count: number, nameOf: (index: number) => string): readonly string[] {
  const names = Array.from({ length: count }, (_, index) => nameOf(index))
  for (const [index, name] of names.entries()) {
    // Names become file names and parts of link names.
    if (typeof name !== 'string' || !/^[A-Za-z0-9][\w.-]*$/.test(name) || name === 'clients') {
      throw declarationError(
        `\`names(${index})\` returned ${JSON.stringify(name)}: a node's name is letters, digits, '.', '_' and '-', and not 'clients'`,
      )
    }
    if (names.indexOf(name) !== index) throw declarationError(`\`names\` gives two nodes the name '${name}'`)
  }
  return names
}

function declarationError(problem: string, cause?: unknown): DeclarationError {
  return new DeclarationError('processes', `processes(): ${problem}`, {
    hint: "write processes({ command: ({ listen }) => ['node', 'server.mjs', String(listen(7000))], count: 3, ports: [7000] })",
    cause,
  })
}
