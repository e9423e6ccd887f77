import { mkdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { EnvironmentError, messageOf } from '../../errors.js'
import { startClock, type Clock } from '../../history/clock.js'
import { Recorder } from '../../history/recorder.js'
import { faultsIn } from '../../nemesis/schedule/plan.js'
import { startGuardian } from '../../nemesis/undo/guard.js'
import { journalPath, openJournal } from '../../nemesis/undo/file-journal.js'
import type { UndoJournal } from '../../nemesis/undo/journal.js'
import { Random } from '../../random/random.js'
import type { RunRecord } from '../../session/record.js'
import { capabilityNames } from '../../systems/capabilities.js'
import { howToGet } from '../../systems/absent.js'
import type { RunningSystem } from '../../systems/system.js'
import type { ScenarioBody } from './drive/body.js'
import type { Script } from './drive/play-script.js'
import { UndoStack } from './undo-stack.js'
import type { ScenarioSpec } from '../spec.js'

/** What one pass is told. */
export interface PassInput {
  readonly spec: ScenarioSpec
  readonly body: ScenarioBody | undefined
  readonly name: string
  readonly purpose: RunRecord['purpose']
  readonly seed: number
  readonly durationMs: number
  /** Played instead of the declared workload and faults, of which it consists; null for an ordinary pass. */
  readonly script: Script | null
  /** Calls of `inject` of the body, counted from 0, that put nothing in. */
  readonly leftOut: ReadonlySet<number>
  /** The longest that a body may take. */
  readonly bodyLimitMs: number
  readonly sessionDir: string
  readonly paths: { readonly artifacts: string; readonly logs: string; readonly metrics: string }
  readonly signal: AbortSignal
  onPhase(phase: string): void
  /** Called twice a second while clients drive the system; `faults` are those in place. */
  onDriving(pass: Pass, faults: readonly string[]): void
  log(message: string): void
}

/** A system that runs, with everything that records it and can take it back. */
export interface Pass {
  readonly input: PassInput
  readonly clock: Clock
  readonly journal: UndoJournal
  readonly recorder: Recorder
  readonly random: Random
  readonly running: RunningSystem
  /** The part of the run's record that is known once the system runs. */
  readonly described: Pick<RunRecord, 'startedAt' | 'nodes' | 'offers' | 'history' | 'logs'>
  /** Stops the system and everything around it. Safe to call twice. */
  close(): Promise<void>
}

/**
 * Starts the journal, its guardian, the recorder and the system.
 * Throws EnvironmentError when the system lacks a capability that a declared fault needs; what was started is stopped.
 */
export async function openPass(input: PassInput): Promise<Pass> {
  const clock = startClock()
  const runId = `${process.pid.toString(36)}-${Date.now().toString(36)}`
  await mkdir(input.paths.logs, { recursive: true })
  const history = join(input.paths.artifacts, 'history.ndjson')
  const undos = new UndoStack()
  const close = () => undos.unwind()
  try {
    // The guardian first: a run that dies between the two leaves no journal behind.
    const guardian = startGuardian(journalPath(runId))
    undos.push(() => guardian.release())
    const journal = await openJournal(runId)
    undos.push(() => journal.finish())
    const recorder = new Recorder({ file: history, clock })
    undos.push(() => recorder.close())
    const { signal } = input
    const running = await input.spec.system.spec.nodes.start({
      runId,
      logsDir: input.paths.logs,
      clock,
      journal,
      signal,
    })
    undos.push(() => running.stop())
    requireCapabilities(input.spec, running)
    const within = (path: string) => relative(input.sessionDir, path).split(sep).join('/')
    return {
      input,
      clock,
      journal,
      recorder,
      random: new Random(input.seed),
      running,
      described: {
        startedAt: clock.startedAt,
        nodes: running.nodes.map((node) => node.name),
        offers: offersOf(running),
        history: within(history),
        logs: running.nodes.map((node) => within(join(input.paths.logs, `${node.name}.log`))),
      },
      close,
    }
  } catch (error) {
    // Why it did not start says more than what then went wrong, which is told beside it.
    await close().catch((cause: unknown) => input.log(`it was not taken back: ${messageOf(cause)}`))
    throw error
  }
}

function offersOf(running: RunningSystem): RunRecord['offers'] {
  return Object.fromEntries(
    capabilityNames.flatMap((name) => {
      const capability = running[name]
      if (capability === null) return []
      return [[name, 'mechanism' in capability ? capability.mechanism : 'offered']]
    }),
  )
}

function requireCapabilities(spec: ScenarioSpec, running: RunningSystem): void {
  for (const { definition } of (spec.nemesis ?? []).flatMap(faultsIn)) {
    const missing = definition.needs.find((capability) => running[capability] === null)
    if (missing === undefined) continue
    throw new EnvironmentError(
      missing,
      `${definition.name} needs the capability ${missing}, which ${spec.system.spec.nodes.kind} does not offer here`,
      howToGet(missing),
    )
  }
}
