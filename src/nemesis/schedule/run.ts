import type { FaultWindow } from '../evidence.js'
import type { FaultContext } from '../fault.js'
import { describePlan } from './describe.js'
import { leavesOf, pathOf, type FaultPlan } from './plan.js'
import { playFault } from './play-fault.js'
import { playRandom } from './play-random.js'
import type { Scheduled } from './record.js'
import { Stage, type ScheduleOptions } from './stage.js'

/** What came of a schedule. */
export interface Played {
  /** The windows of the faults that fired, all healed, in order of injection. */
  readonly windows: readonly FaultWindow[]
  /** Every declared fault and random schedule, in order of declaration. */
  readonly scheduled: readonly Scheduled[]
  /** For the reader of the report. */
  readonly remarks: readonly string[]
}

/**
 * Plays declared faults, all of them together from now. A fault is healed `for` after it landed (after its injection when
 * it did not land), at the latest at the end of the workload.
 *
 * Also resolves, with everything healed, when it was aborted. When a fault cannot be put in place or undone, the others
 * are healed in reverse order and the first error is thrown.
 */
export async function runSchedule(
  plans: readonly FaultPlan[],
  context: FaultContext,
  options: ScheduleOptions,
): Promise<Played> {
  const stage = new Stage(context, options)
  const leaves = plans.flatMap((plan, index) => leavesOf(plan, `${index}`))
  const records = new Map(
    leaves.map(({ path, plan }): [string, Scheduled] => [path, { declared: describePlan(plan), faults: [] }]),
  )

  const play = async (plan: FaultPlan, path: string, begins: number): Promise<void> => {
    const record = records.get(path)?.faults ?? []
    if ('definition' in plan) return playFault(stage, { nemesis: plan, begins, path, record })
    if (plan.kind === 'random') return playRandom(stage, { plan, begins, path, record })
    if (plan.kind === 'overlap') return together(plan.members, path, begins)
    for (const [index, step] of plan.steps.entries()) {
      if (index > 0) await stage.untilTime(stage.now() + plan.pauseMs * 1e6)
      if (stage.signal.aborted || stage.now() >= stage.end) return
      await play(step, pathOf(path, index), index === 0 ? begins : stage.now())
    }
  }

  const together = async (
    members: readonly FaultPlan[],
    path: string | null,
    begins: number,
  ): Promise<void> => {
    const playing = members.map((member, index) => {
      const at = path === null ? `${index}` : pathOf(path, index)
      return play(member, at, begins).catch((error: unknown) => stage.fail(error))
    })
    await Promise.all(playing)
  }

  await together(plans, null, stage.start)
  const windows = await stage.close()
  return { windows, scheduled: [...records.values()], remarks: stage.remarks }
}
