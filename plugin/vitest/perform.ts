import { inject, type TestContext } from 'vitest'
import { answerRequest } from '../../src/scenario/answer.js'
import type { ScenarioBody } from '../../src/scenario/pass/drive/body.js'
import type { RunEnvironment } from '../../src/scenario/runs/passes.js'
import type { Progress } from '../../src/scenario/runs/progress.js'
import { requestFor } from '../../src/scenario/request.js'
import { runScenario } from '../../src/scenario/run.js'
import type { ScenarioSpec } from '../../src/scenario/spec.js'
import type { CallSite } from './call-site.js'
import { evidenceLine } from './evidence-line.js'
import type { FileTurn } from './file-turn.js'
import { key } from './settings.js'
import { settle } from './settle.js'
import { startTimeLimit } from './time-limit.js'
import { WorkerExit } from './worker-exit.js'

/** Vitest's own limit comes this long after ours, so that an overrunning scenario still heals and is recorded. */
export const healWithinMs = 60_000

const progressEveryMs = 500
const workerExit = new WorkerExit()

export interface ScenarioTask {
  readonly name: string
  readonly spec: ScenarioSpec
  readonly body: ScenarioBody | undefined
  /** 0 for none. */
  readonly limitMs: number
  readonly location: string | null
  readonly site: CallSite | null
  readonly turn: FileTurn
}

/** The test function of a scenario: runs it, leaves the result in `task.meta`, and throws or skips by the verdict. */
export async function perform(context: TestContext, task: ScenarioTask): Promise<void> {
  const { name, spec, body, limitMs, location, site } = task
  const settings = inject(key)
  const turn = task.turn.current
  if (turn === null) context.skip('the run was cancelled while this file waited for its turn')
  const request = requestFor(name)
  // A reduction goes on in the session that has the violation.
  const sessionDir = request?.kind === 'reduce' ? request.session : await turn.session(context.task.id)
  const controller = new AbortController()
  const limit = startTimeLimit(limitMs, () =>
    controller.abort(new Error(`the scenario did not end within ${limitMs} ms`)),
  )
  // An abort of an earlier attempt lingers in the signal of Vitest 4; only a new one counts.
  const onAbort = () => controller.abort(context.signal.reason)
  if (!context.signal.aborted) context.signal.addEventListener('abort', onAbort, { once: true })
  const environment: RunEnvironment = {
    name,
    location,
    root: settings.root,
    sessionDir,
    tier: settings.tier,
    signal: controller.signal,
    progress: throttled((progress) => turn.progress(progress)),
  }
  const running =
    request === null
      ? runScenario(spec, body, environment)
      : answerRequest(request, { spec, body, environment })
  workerExit.track(running)
  // After a timeout or a cancellation the test is over for Vitest, but the next one must not start before this has healed.
  context.onTestFinished(() => running.then(ignore, ignore), healWithinMs)
  try {
    const record = await running
    const meta = context.task.meta[key]
    if (meta !== undefined) {
      const { verdict, reason } = record.ruling
      const result = { verdict, reason, evidence: evidenceLine(record), session: sessionDir }
      context.task.meta[key] = { ...meta, result }
    }
    if (request?.kind !== 'reduce') await settle(context, record, { settings, sessionDir, site })
  } finally {
    limit.lift()
    context.signal.removeEventListener('abort', onAbort)
  }
}

function throttled(report: (progress: Progress) => void): (progress: Progress) => void {
  let last = Number.NEGATIVE_INFINITY
  let phase = ''
  return (progress) => {
    const now = performance.now()
    if (progress.outcome === null && progress.phase === phase && now - last < progressEveryMs) return
    last = now
    phase = progress.phase
    report(progress)
  }
}

/** The failure itself is reported by the test; whoever waits for the end only wants the end. */
function ignore(): void {}
