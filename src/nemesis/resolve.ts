import { FaultError, messageOf } from '../errors.js'
import type { Target } from './fault.js'
import { closest } from './suggest.js'
import { sleep } from '../time/sleep.js'
import { seconds } from '../time/wait.js'

/** Late-bound role of a system: the names of the nodes that have it now; empty when nobody has. */
export type RoleFinder = () => Promise<readonly string[]>

/** The part of the run's seeded random source that targets are drawn from. */
export interface Draw {
  pick<T>(items: readonly T[]): T
  shuffle<T>(items: readonly T[]): readonly T[]
}

export interface ResolveContext {
  readonly nodes: readonly string[]
  readonly roles: Readonly<Record<string, RoleFinder>>
  readonly random: Draw
  /** The other side of the fault: nothing is drawn from it, and `others` are all nodes that are not in it. */
  readonly apart?: readonly string[]
  /** Nodes that nothing is drawn from on the side that is resolved first. */
  readonly avoid?: readonly string[]
  /** How long a role may have nobody before that is an error. Default 5 s. */
  readonly roleWithinMs?: number
  readonly signal?: AbortSignal
}

const selectors = ['random', 'majority', 'minority', 'others', 'all'] as const

const drawnSelectors: ReadonlySet<string> = new Set(['random', 'majority', 'minority'])

/** True when what a target means is drawn, so that it depends on the seed. */
export function isDrawn(target: Target): boolean {
  return [target].flat().some((part) => drawnSelectors.has(part))
}

/** Stands for everything that drives the system; an end of a link, never a node. */
export const clients = 'clients'

/**
 * The nodes that a late-bound target means at this moment, in the order of the system's nodes.
 *
 * A node name wins over a role of the same name, a role over a selector. `others` are the nodes that are not on the
 * other side of the fault (`apart`), or that are not the leader when the fault has one side only. `majority` draws
 * floor(n/2)+1 nodes, `minority` the rest of such a draw. `clients` is passed through.
 * Throws FaultError for a name that is neither; with code `not-now` for a role that nobody has for `roleWithinMs`, and
 * `envelope` when only nodes to avoid are left.
 */
export async function resolveTarget(target: Target, context: ResolveContext): Promise<readonly string[]> {
  const parts = typeof target === 'string' ? [target] : target
  const found = new Set<string>()
  for (const part of parts) for (const name of await resolveOne(part, context)) found.add(name)
  return [...context.nodes, clients].filter((name) => found.has(name))
}

async function resolveOne(name: string, context: ResolveContext): Promise<readonly string[]> {
  const { nodes, roles, random, apart = [], avoid = [] } = context
  if (nodes.includes(name) || name === clients) return [name]
  if (Object.hasOwn(roles, name)) return holders(name, context)
  const free = nodes.filter((node) => !apart.includes(node))
  const drawable = apart.length > 0 ? free : free.filter((node) => !avoid.includes(node))
  const majority = Math.floor(nodes.length / 2) + 1
  switch (name) {
    case 'all':
      return free
    case 'random':
      return draw(1)
    case 'majority':
      return draw(majority)
    case 'minority':
      return draw(nodes.length - majority)
    case 'others':
      return apart.length > 0 ? free : withoutLeader(context)
    default:
      throw unknownName(name, context)
  }

  function draw(count: number): readonly string[] {
    if (count === 1 && drawable.length > 0) return [random.pick(drawable)]
    if (count >= 1 && count <= drawable.length) return random.shuffle(drawable).slice(0, count)
    if (count >= 1 && count <= free.length) {
      throw new FaultError(
        'envelope',
        `'${name}' needs ${count} nodes that no other fault has; ${drawable.length} are left`,
      )
    }
    const problem =
      count < 1 ? 'means no node in a system this small' : `needs ${count} of ${free.length} free nodes`
    throw new FaultError('target', `'${name}' ${problem}`, {
      hint: `the system has ${nodes.join(', ')}${apart.length > 0 ? `; ${apart.join(', ')} is the other side` : ''}`,
    })
  }
}

async function withoutLeader(context: ResolveContext): Promise<readonly string[]> {
  if (!Object.hasOwn(context.roles, 'leader')) {
    throw new FaultError(
      'target',
      "'others' means all nodes but the leader, and the system has no role 'leader'",
      {
        hint: 'name the nodes, or declare roles: { leader: … } in system()',
      },
    )
  }
  const leaders = await holders('leader', context)
  return context.nodes.filter((node) => !leaders.includes(node))
}

/** Asks a role until somebody has it: during an election nobody has, and the function may well throw. */
async function holders(role: string, context: ResolveContext): Promise<readonly string[]> {
  const withinMs = context.roleWithinMs ?? 5_000
  const deadline = performance.now() + withinMs
  let last = 'it answered nobody'
  while (!context.signal?.aborted) {
    const leftMs = Math.max(deadline - performance.now(), 0)
    const answer = await answerOf(context.roles[role] as RoleFinder, leftMs, context.signal)
    if (typeof answer === 'string') last = answer
    else if (answer.length === 0) last = 'it answered nobody'
    else return known(answer, role, context)
    if (performance.now() >= deadline) break
    await sleep(50, context.signal)
  }
  if (context.signal?.aborted) throw new FaultError('target', `cancelled while looking for the ${role}`)
  throw new FaultError(
    'not-now',
    `no ${role} right now: nobody had the role for ${seconds(withinMs)}; ${last}`,
    {
      hint: `wait for an election before the fault fires, or check the role function '${role}' of the system`,
    },
  )
}

/** What the role function answers, or in words why it did not. */
async function answerOf(
  find: RoleFinder,
  leftMs: number,
  signal: AbortSignal | undefined,
): Promise<readonly string[] | string> {
  const stop = new AbortController()
  const cancelled = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
  try {
    const late = sleep(Math.max(leftMs, 1), cancelled).then(() => 'the role function did not answer')
    return await Promise.race([Promise.resolve().then(find), late])
  } catch (error) {
    return `the role function threw: ${messageOf(error)}`
  } finally {
    stop.abort()
  }
}

function known(names: readonly string[], role: string, { nodes }: ResolveContext): readonly string[] {
  const stranger = names.find((name) => !nodes.includes(name))
  if (stranger === undefined) return names
  throw new FaultError('target', `role '${role}' answered '${stranger}', which is no node of the system`, {
    hint: `return a node or one of the names ${nodes.join(', ')}`,
  })
}

function unknownName(name: string, { nodes, roles }: ResolveContext): FaultError {
  const names = [...nodes, ...Object.keys(roles), ...selectors]
  const near = closest(name, names)
  return new FaultError(
    'target',
    `'${name}' is neither a node nor a role${near === null ? '' : `; did you mean '${near}'?`}`,
    {
      hint: `nodes: ${nodes.join(', ')}; roles: ${Object.keys(roles).join(', ') || 'none declared'}; also ${selectors.join(', ')}`,
    },
  )
}
