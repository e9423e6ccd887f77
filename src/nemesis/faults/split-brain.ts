import { z } from 'zod'
import { FaultError } from '../../errors.js'
import type { Evidence } from '../evidence.js'
import type { FaultDefinition, InjectContext, Target } from '../fault.js'
import { hookFields, type HookOptions, hookSchema } from './cluster/hook.js'
import { Hooks } from './cluster/hooks.js'
import { leadersEveryMs, leadersNow, LeadersWatch, type LeadersHook } from './cluster/leaders-watch.js'
import { describeSides, linksFrom, offeredLinks, requireDisjoint } from './links.js'
import { networkInjection } from './network-injection.js'
import { modeSchema, targetSchema } from './options.js'
import { clients } from '../resolve.js'

export interface SplitBrainOptions extends HookOptions {
  /** Who is cut off. Default the role `leader`. */
  readonly leader?: Target | undefined
  /** Who is cut off along with it: observers, or `clients`, which then reach the old leader only. Default nobody. */
  readonly with?: Target | undefined
  /** The nodes that call themselves leader now, asked of each node itself. */
  readonly leaders: LeadersHook
  /** `drop` (default): nothing comes back. `reject`: a reset does. */
  readonly mode?: 'drop' | 'reject' | undefined
}

/**
 * Tries to have two leaders at one time: cuts the leader off from the rest, so that the rest elects another.
 *
 * Landed when the cut was met and a node on the other side leads. Whether the old leader went on leading meanwhile is
 * the question that the fault puts to the system: the evidence says how many led at one time, and does not demand two.
 */
export const splitBrain: FaultDefinition<SplitBrainOptions> = {
  name: 'split-brain',
  category: 'cluster',
  needs: ['network'],
  options: z.strictObject({
    leader: targetSchema.optional(),
    with: targetSchema.optional(),
    leaders: hookSchema,
    mode: modeSchema.optional(),
    ...hookFields,
  }),
  async inject(context, given) {
    const sides = await sidesOf(context, given)
    const [cut, rest] = sides
    const hooks = new Hooks(context, {
      fault: 'split-brain',
      hookTimeout: given.hookTimeout,
    })
    const read = (purpose: 'inject' | 'undo') => leadersNow(context, hooks, { call: given.leaders, purpose })
    const before = await read('inject')
    if (before.length !== 1 || !cut.includes(before[0] as string)) {
      throw new FaultError(
        'not-now',
        `split-brain: leaders() names ${inWords(before)} before the fault, and ${cut.join(', ')} is to be cut off`,
        { hint: 'exactly one node may lead, and it must be on the side that is cut off' },
      )
    }
    const mode = given.mode ?? 'drop'
    const links = offeredLinks(context, 'split-brain', [...linksFrom(cut, rest), ...linksFrom(rest, cut)])
    const partition = await networkInjection(context, {
      target: describeSides(sides),
      links,
      verb: mode === 'drop' ? 'dropped' : 'rejected',
      mustMeet: cut.filter((end) => end !== clients),
      open: [],
      stallMs: 250,
      put: () => context.network.block(links, mode),
    })
    const watch = new LeadersWatch(() => read('inject'), cut)
    const row = (signal: string, was: Evidence['before'], after: Evidence['after']): Evidence => ({
      side: 'victim',
      subject: context.nodes.join(', '),
      signal,
      before: was,
      after,
      at: context.clock.now(),
    })
    const together = () => row('leaders at one time', 1, Math.max(1, watch.together.length))
    return {
      ...partition,
      mechanism: `${partition.mechanism}; nodes asked every ${leadersEveryMs} ms who leads`,
      evidence: async () => [
        ...(await partition.evidence()),
        row('nodes that call themselves leader', inWords(before), inWords(watch.now ?? before)),
        together(),
      ],
      objection: () => partition.objection?.() ?? undecided(watch, rest),
      async heal() {
        await watch.stop()
        const healed = await partition.heal()
        return [
          ...healed,
          together(),
          row('nodes that call themselves leader', inWords(watch.now ?? before), await now()),
        ]
      },
    }

    /** Whether one leader is left is the system's to say, and takes its time: nobody waits for it here. */
    async function now(): Promise<string | null> {
      return read('undo').then(inWords, () => null)
    }
  },
}

async function sidesOf(
  context: InjectContext,
  given: SplitBrainOptions,
): Promise<readonly [readonly string[], readonly string[]]> {
  const leader = await context.resolve(given.leader ?? 'leader')
  const along = given.with === undefined ? [] : await context.resolve(given.with, leader)
  const cut = [...new Set([...leader, ...along])]
  const rest = await context.resolve('others', cut)
  const sides = [cut, rest] as const
  requireDisjoint('split-brain', sides)
  return sides
}

function undecided(watch: LeadersWatch, rest: readonly string[]): string | null {
  if (watch.elected === null) {
    const trouble = watch.trouble === null ? '' : ` (${watch.trouble})`
    return `none of ${rest.join(', ')} became leader${trouble}`
  }
  return watch.decided ? null : `${watch.elected} was elected; whether another leads as well is not known yet`
}

function inWords(names: readonly string[]): string {
  return names.length === 0 ? 'nobody' : names.join(', ')
}
