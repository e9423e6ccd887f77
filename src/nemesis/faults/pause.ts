import { z } from 'zod'
import { FaultError } from '../../errors.js'
import type { Evidence } from '../evidence.js'
import type { FaultContext, FaultDefinition, InjectContext, Target } from '../fault.js'
import { sleep } from '../../time/sleep.js'
import { targetSchema } from './options.js'
import { affectedBy } from './affected.js'
import { allOrNone } from './all-or-none.js'
import { describeState, lackingSide } from './process-evidence.js'
import { processTargets, type ProcessTarget } from './process-target.js'

export interface PauseOptions {
  readonly node: Target
}

/** CPU time is compared over at least this long. */
const cpuWindowMs = 250

interface CpuSample {
  readonly cpuMs: number
  readonly at: number
}

/**
 * Freezes a node, as a long garbage collection or a stalled virtual machine would: it keeps its connections and its
 * memory, does nothing, and goes on later without knowing.
 *
 * Landed when the engine or kernel reports it as paused and a victim shows it: an operation aimed at it waits or got no
 * answer, or the CPU time that it used before stands still. A connect is no evidence: the kernel accepts connections
 * for a paused process. Undone by resuming it.
 */
export const pause: FaultDefinition<PauseOptions> = {
  name: 'pause',
  category: 'process',
  needs: ['lifecycle'],
  options: z.strictObject({ node: targetSchema }),
  async inject(context, { node }) {
    const targets = await processTargets(context, node, 'pause')
    const usedBefore = await Promise.all(targets.map((target) => cpuUse(context, target.node)))
    context.injecting()
    const since = context.clock.now()
    await allOrNone(
      targets,
      ({ node: name }) => context.lifecycle.pause(name),
      () => resume(context, targets),
    )
    const first = await Promise.all(targets.map((target) => sample(context, target.node)))
    let objection: string | null = null
    return {
      target: targets.map((target) => target.node).join(', '),
      mechanism: context.lifecycle.mechanism,
      affects: affectedBy(context, targets),
      async evidence() {
        const read = await Promise.all(
          targets.map((target, index) =>
            readPaused(context, target, {
              since,
              usedBefore: usedBefore[index] ?? null,
              first: first[index] ?? null,
            }),
          ),
        )
        objection = lackingSide(read.flat(), targets)
        return read.flat()
      },
      objection: () => objection,
      lost: () => resumedBySomebody(context, targets),
      heal: () => resume(context, targets),
    }
  },
}

/** A node that runs although nobody healed the fault, in words; null when none does. */
async function resumedBySomebody(
  context: InjectContext,
  targets: readonly ProcessTarget[],
): Promise<string | null> {
  const states = await Promise.all(targets.map(({ node }) => context.lifecycle.state(node)))
  const running = states.findIndex(({ status }) => status === 'running')
  return running < 0 ? null : `something else has resumed ${targets[running]?.node}`
}

async function readPaused(
  context: InjectContext,
  target: ProcessTarget,
  { since, usedBefore, first }: { since: number; usedBefore: number | null; first: CpuSample | null },
): Promise<readonly Evidence[]> {
  const { node } = target
  const state = await context.lifecycle.state(node)
  const at = context.clock.now()
  const evidence: Evidence[] = [
    {
      side: 'injector',
      subject: node,
      signal: 'process state',
      before: describeState(target.state),
      after: describeState(state),
      at,
    },
    ...target.clients(since),
  ]
  if (usedBefore !== null && first !== null && state.cpuMs !== null && at - first.at >= cpuWindowMs * 1e6) {
    const after = useBetween(first, { cpuMs: state.cpuMs, at })
    // Less use than before is no sign of a pause; only none at all is.
    if (after === 0) {
      evidence.push({
        side: 'victim',
        subject: node,
        signal: 'CPU use (% of one core)',
        before: usedBefore,
        after,
        at,
      })
    }
  }
  return evidence
}

/** CPU use over the window, in per cent of one core; null where it cannot be read. */
async function cpuUse(context: FaultContext, node: string): Promise<number | null> {
  const first = await sample(context, node)
  if (first === null) return null
  await sleep(cpuWindowMs, context.signal)
  const last = await sample(context, node)
  return last === null ? null : useBetween(first, last)
}

async function sample(context: FaultContext, node: string): Promise<CpuSample | null> {
  const { cpuMs } = await context.lifecycle.state(node)
  return cpuMs === null ? null : { cpuMs, at: context.clock.now() }
}

function useBetween(first: CpuSample, last: CpuSample): number {
  const elapsedMs = Math.max((last.at - first.at) / 1e6, 1)
  return Math.round((1_000 * (last.cpuMs - first.cpuMs)) / elapsedMs) / 10
}

async function resume(
  context: FaultContext,
  targets: readonly ProcessTarget[],
): Promise<readonly Evidence[]> {
  return Promise.all(
    targets.map(async ({ node }): Promise<Evidence> => {
      const before = await context.lifecycle.state(node)
      if (before.status === 'paused') await context.lifecycle.resume(node)
      const after = await context.lifecycle.state(node)
      if (after.status === 'paused')
        throw new FaultError('heal', `${node} is still paused after it was resumed`)
      return {
        side: 'injector',
        subject: node,
        signal: 'process state',
        before: describeState(before),
        after: describeState(after),
        at: context.clock.now(),
      }
    }),
  )
}
