import { EnvironmentError, FaultError } from '../../../errors.js'
import type { CpuLimit } from '../../../systems/capabilities.js'
import type { Evidence } from '../../evidence.js'
import type { InjectContext, Injection, Target } from '../../fault.js'
import { affectedBy } from '../affected.js'
import { allOrNone } from '../all-or-none.js'
import { processTargets, type ProcessTarget } from '../process-target.js'

/** A node that was held up once may have had a peak: it must happen again and again. */
const periodsNeeded = 3

interface Limited {
  readonly target: ProcessTarget
  readonly limit: CpuLimit
}

/**
 * Slows nodes down by giving them little CPU time.
 *
 * Injector side: how often the kernel made a node wait because it had used up its time, and for how long. The victim's
 * side is left to clients here, and to a reading of the lag that the caller adds. A node that needs less than it is
 * given is not slowed down, so it does not count.
 */
export async function slowByCpu(context: InjectContext, node: Target, cpus: number): Promise<Injection> {
  const targets = await processTargets(context, node, 'slow-follower')
  const limitCpu = context.lifecycle.limitCpu?.bind(context.lifecycle)
  if (limitCpu === undefined) {
    throw new EnvironmentError(
      'limits of CPU time',
      'slow-follower: this system offers no way to limit the CPU time of a node',
      "use by: 'pause', or run the system in containers or as processes",
    )
  }
  context.injecting()
  const since = context.clock.now()
  const limited = await allOrNone(
    targets,
    async (target): Promise<Limited> => ({ target, limit: await limitCpu(target.node, cpus) }),
    (done) => Promise.all(done.map(({ limit }) => limit.remove())),
  )
  let objection: string | null = null
  return {
    target: `${targets.map((target) => target.node).join(', ')} with ${cpus} CPUs`,
    mechanism: limited[0]?.limit.mechanism ?? '',
    affects: affectedBy(context, targets),
    async evidence() {
      const rows = await Promise.all(limited.map((one) => readOne(context, one, since)))
      objection = rows.find((one) => one.objection !== null)?.objection ?? null
      return rows.flatMap((one) => one.evidence)
    },
    objection: () => objection,
    async lost() {
      const reasons = await Promise.all(limited.map(({ limit }) => limit.lost()))
      return reasons.find((why) => why !== null) ?? null
    },
    heal: () => Promise.all(limited.map((one) => giveBack(context, one))),
  }
}

async function readOne(
  context: InjectContext,
  { target, limit }: Limited,
  since: number,
): Promise<{ readonly evidence: readonly Evidence[]; readonly objection: string | null }> {
  const { periods, ms } = await limit.throttled()
  const row = (signal: string, after: number): Evidence => ({
    side: 'injector',
    subject: target.node,
    signal,
    before: 0,
    after,
    at: context.clock.now(),
  })
  return {
    evidence: [
      row('periods of 100 ms in which its CPU time was used up', periods),
      row('time that it waited for CPU time (ms)', Math.round(ms)),
      ...target.clients(since),
    ],
    objection:
      periods >= periodsNeeded
        ? null
        : `${target.node} used up its CPU time in ${periods} periods so far: it needs less than it is given`,
  }
}

async function giveBack(context: InjectContext, { target, limit }: Limited): Promise<Evidence> {
  const { periods } = await limit.throttled()
  const before = (await limit.present()) ? `limited, used up in ${periods} periods` : 'none'
  await limit.remove()
  if (await limit.present()) {
    throw new FaultError('heal', `the CPU limit of ${target.node} is still in place after it was removed`)
  }
  const at = context.clock.now()
  return { side: 'injector', subject: target.node, signal: 'CPU limit', before, after: 'none', at }
}
