import type { FaultWindow } from '../../../src/nemesis/evidence.js'
import { resolveTarget, type RoleFinder } from '../../../src/nemesis/resolve.js'
import type { FaultPlan } from '../../../src/nemesis/schedule/plan.js'
import { runSchedule, type Played } from '../../../src/nemesis/schedule/run.js'
import type { ScheduleOptions } from '../../../src/nemesis/schedule/stage.js'
import { Random } from '../../../src/random/random.js'
import { fakeRun, type FakeRun } from '../fakes.js'

export interface Stage {
  readonly run: FakeRun
  /** `open F1`, `close F1`, … */
  readonly log: string[]
  play(plans: readonly FaultPlan[], more?: Partial<ScheduleOptions>): Promise<Played>
}

/** A run on fakes in which schedules are played; by default for 600 ms, and the system recovers at once. */
export function stage(
  options: { nodes?: readonly string[]; roles?: Record<string, RoleFinder>; seed?: number } = {},
): Stage {
  const run = fakeRun(options)
  const { nodes } = run.context
  const roles = options.roles ?? { leader: async () => ['n1'] }
  const log: string[] = []
  let ids = 0
  const usual: ScheduleOptions = {
    durationMs: 600,
    signal: new AbortController().signal,
    random: new Random(options.seed ?? 1),
    nextId: () => `F${++ids}`,
    resolve: (target, how) => resolveTarget(target, { nodes, roles, roleWithinMs: 300, ...how }),
    recovered: async () => true,
    onOpen: (window: FaultWindow) => log.push(`open ${window.id}`),
    onClose: (window: FaultWindow) => log.push(`close ${window.id}`),
  }
  return { run, log, play: (plans, more = {}) => runSchedule(plans, run.context, { ...usual, ...more }) }
}
