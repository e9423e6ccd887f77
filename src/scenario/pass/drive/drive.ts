import type { CheckResult } from '../../../checkers/checker.js'
import type { FaultWindow } from '../../../nemesis/evidence.js'
import type { Scheduled } from '../../../nemesis/schedule/record.js'
import type { Load } from '../../../session/record.js'
import { classifyDefault } from '../../../workload/classify.js'
import { drive } from '../../../workload/drive.js'
import type { Nominal } from '../../../session/observation-record.js'
import { awaitServiceAfter, type AfterFaults } from './after-faults.js'
import { assertionFailure } from './assertions.js'
import { BodyProcesses, bodyTools } from './body.js'
import { closeClient, connectTo, withClients } from '../clients.js'
import { inConcert } from './concert.js'
import type { PassFaults } from './faults.js'
import { nominalOf } from '../nominal.js'
import type { Workload } from '../../../workload/workload.js'
import { playScript, type Script } from './play-script.js'
import type { Pass } from '../setup.js'
import { RunningOracle } from './watch.js'

/** What the driving of one pass left behind. */
export interface Driven {
  readonly durationMs: number
  readonly load: Load | null
  readonly windows: readonly FaultWindow[]
  readonly scheduled: readonly Scheduled[]
  /** The body's failed assertion, as the result of a checker. */
  readonly assertions: readonly CheckResult[]
  readonly notes: readonly string[]
  readonly nominal: Nominal
  /** Null when there is nothing to recover from, or the pass did not wait for it. */
  readonly after: AfterFaults | null
}

/** Drives clients while faults come and go; every fault is healed when it returns or throws. */
export async function drivePass(pass: Pass, faults: PassFaults): Promise<Driven> {
  const { input, clock } = pass
  const begun = clock.now()
  const bodyEnded = new AbortController()
  const oracle = new RunningOracle(input.spec, pass.recorder)
  // A body says itself when it has seen enough.
  const enough = input.body === undefined ? oracle.enough : new AbortController().signal
  const ticker = setInterval(() => input.onDriving(pass, faults.active), 500)
  const served = new AbortController()
  const goOn = untilAborted(served.signal)
  try {
    const [driven, after, assertions] = await inConcert(
      [
        (signal) => {
          const played = AbortSignal.any([signal, enough])
          if (input.script !== null)
            return driveScript(pass, { script: input.script, faults, signal: played })
          return driveWorkload(pass, { goOn, signal: AbortSignal.any([signal, bodyEnded.signal, enough]) })
        },
        (signal) => playFaults(pass, faults, AbortSignal.any([signal, enough])).finally(() => served.abort()),
        (signal) => runBody(pass, faults, signal).finally(() => input.body && bodyEnded.abort()),
      ],
      input.signal,
    )
    const ended = clock.now()
    await faults.healAll()
    const windows = faults.windows()
    return {
      durationMs: (ended - begun) / 1e6,
      load: driven?.load ?? null,
      windows,
      scheduled: faults.scheduled,
      assertions,
      notes: [
        ...(driven === null ? [] : [...driven.notes, ...shortfall(driven)]),
        ...endedEarly(oracle, enough),
        ...faults.remarks,
      ],
      nominal: nominalOf({
        operations: pass.recorder.operations(),
        windows,
        startedAt: driven?.startedAt ?? begun,
        endedAt: driven?.endedAt ?? ended,
        recoveredAt: after?.recoveredAt ?? null,
      }),
      after,
    }
  } finally {
    oracle.close()
    clearInterval(ticker)
    await faults.healAll()
  }
}

/** Plays the schedule, then sees the system serve again. A body waits for what it wants to see itself. */
async function playFaults(pass: Pass, faults: PassFaults, signal: AbortSignal): Promise<AfterFaults | null> {
  if (pass.input.script !== null) return null
  const begun = pass.clock.now()
  await faults.schedule(signal)
  const first = faults.firstAt
  if (first === null || pass.input.body !== undefined || signal.aborted) return null
  return awaitServiceAfter(pass, { beforeMs: (first - begun) / 1e6, signal })
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}

async function driveWorkload(
  pass: Pass,
  { goOn, signal }: { readonly goOn: Promise<void>; readonly signal: AbortSignal },
) {
  const { input, running, recorder, clock, random } = pass
  const { system } = input.spec
  const workload = workloadOf(pass)
  if (workload === null) return null
  return drive({
    workload,
    nodes: running.nodes,
    connect: (node) => connectTo(system, node, signal),
    close: (client) => closeClient(system, client),
    recorder,
    clock,
    random: random.fork('workload'),
    // With a body the workload goes on until the body ends.
    durationMs: input.body === undefined ? input.durationMs : input.bodyLimitMs,
    goOn,
    signal,
  })
}

async function driveScript(
  pass: Pass,
  playing: { readonly script: Script; readonly faults: PassFaults; readonly signal: AbortSignal },
) {
  const workload = workloadOf(pass)
  return workload === null ? null : playScript(pass, { ...playing, workload })
}

function workloadOf(pass: Pass): Workload | null {
  const { workload } = pass.input.spec
  return workload === undefined ? null : { spec: { ...workload.spec, classify: classifyOf(pass) } }
}

async function runBody(pass: Pass, faults: PassFaults, signal: AbortSignal): Promise<CheckResult[]> {
  const { input, running, recorder, random } = pass
  const { body } = input
  if (body === undefined) return []
  return withClients(input.spec.system, running.nodes, signal, async (clients) => {
    const tools = bodyTools({
      nodes: running.nodes,
      clients,
      recorder,
      processes: new BodyProcesses(),
      random: random.fork('body'),
      arm: pass.input.spec.arm?.name ?? null,
      signal,
      classify: classifyOf(pass),
      inject: (nemesis) => faults.inject(nemesis, signal),
      log: input.log,
    })
    try {
      await body(tools as never)
      return []
    } catch (error) {
      const failure = assertionFailure(error)
      if (failure === null) throw error
      return [failure]
    }
  })
}

/** The workload's word on errors goes before the system's. */
function classifyOf({ input: { spec } }: Pass) {
  return spec.workload?.spec.classify ?? spec.system.spec.classify ?? classifyDefault
}

/** An open loop in which clients are too slow sends less than was asked for; the reader must know. */
function shortfall({ load, unstarted }: { readonly load: Load; readonly unstarted: number }): string[] {
  if (unstarted === 0) return []
  const reached = `${Math.round(load.rate)} of the intended ${load.intendedRate} operations a second`
  return [`the load reached ${reached}: ${unstarted} operations found no free client before the end`]
}

function endedEarly({ violation }: RunningOracle, enough: AbortSignal): string[] {
  if (violation === null || !enough.aborted) return []
  return [`it was ended after the violation that operations ${violation.join(', ')} show`]
}
