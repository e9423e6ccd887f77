import { join } from 'node:path'
import { mkdir } from 'node:fs/promises'
import type { FaultSpan } from '../../history/fault-span.js'
import { weaknesses } from '../../history/weakness.js'
import type { FaultWindow } from '../../nemesis/evidence.js'
import { PropertyRegistry } from '../../properties/registry.js'
import { countingIn } from '../../properties/scope.js'
import type { RunRecord } from '../../session/record.js'
import { DeclarationError, EnvironmentError, HarnessError, NemesisError, messageOf } from '../../errors.js'
import { collect, type Collected } from './collect.js'
import { runControls } from './controls.js'
import { drivePass, type Driven } from './drive/drive.js'
import { PassFaults } from './drive/faults.js'
import { judge } from './judge.js'
import { Observation } from './observation.js'
import { settleMs } from '../declaration/limits.js'
import { measureSensitivity } from './sensitivity.js'
import { openPass, type Pass, type PassInput } from './setup.js'
import { poll } from './poll.js'

const checkTimeoutMs = 60_000
const collectTimeoutMs = 30_000

/**
 * One pass over the system: set up, drive, fault, heal, recover, quiesce, read the final state, check.
 *
 * Whatever happens, every fault is healed and everything that was started is stopped before it returns.
 * It never throws: what ended the pass early is in the record.
 */
export async function runPass(input: PassInput): Promise<RunRecord> {
  const registry = new PropertyRegistry()
  const record = await countingIn(registry, () => performPass(input))
  const asserted = registry.result()
  return {
    ...record,
    properties: registry.properties(),
    checks: asserted === null ? record.checks : [...record.checks, asserted],
  }
}

async function performPass(input: PassInput): Promise<RunRecord> {
  let phase = 'start'
  const enter = (next: string) => {
    input.signal.throwIfAborted()
    phase = next
    input.onPhase(next)
  }
  const record = emptyRecord(input)
  let pass: Pass | undefined
  let faults: PassFaults | undefined
  let observation: Observation | undefined
  let collected: ReadonlyMap<string, Collected> = new Map()
  try {
    enter('start')
    await mkdir(input.paths.artifacts, { recursive: true })
    pass = await openPass(input)
    Object.assign(record, pass.described)
    observation = await Observation.of(pass)
    enter('ready')
    await untilReady(pass)
    enter('drive')
    faults = new PassFaults(pass)
    const driven = await drivePass(pass, faults)
    Object.assign(record, recordOf(driven))
    enter('recover')
    record.recoveryMs = await recovered(pass, driven)
    enter('collect')
    if (record.recoveryMs !== null) {
      collected = await collect({
        system: input.spec.system,
        nodes: pass.running.nodes,
        checkers: input.spec.checkers,
        operations: pass.recorder.operations(),
        timeoutMs: collectTimeoutMs,
        signal: input.signal,
      })
    }
    const { controls, check: controlled } = await runControls({
      system: input.spec.system,
      nodes: pass.running.nodes,
      controls: input.spec.arm?.controls ?? [],
      rested: record.recoveryMs !== null,
      random: pass.random.fork('controls'),
      signal: input.signal,
    })
    record.controls = controls
    enter('stop')
    await observation.stop()
    await pass.close().catch((error: unknown) => {
      // What was recorded until then is judged all the same: a violation counts.
      record.error = endedBy(error, 'stop', input.signal)
    })
    enter('check')
    const operations = pass.recorder.operations()
    const judged = {
      checkers: input.spec.checkers,
      model: input.spec.model ?? null,
      operations,
      faults: driven.windows.map(spanOf),
      collected,
      timeoutMs: checkTimeoutMs,
      signal: input.signal,
    }
    record.checks = [
      ...driven.assertions,
      ...(await judge(judged)),
      ...(controlled === null ? [] : [controlled]),
    ]
    if (input.purpose === 'seed') {
      const { sensitivity: options } = input.spec
      record.sensitivity = await measureSensitivity(judged, {
        results: record.checks,
        options,
        seed: input.seed,
      })
    }
    record.weak = weaknesses(
      operations,
      [...(input.spec.model?.requires ?? []), ...input.spec.checkers.flatMap((checker) => checker.needs)],
      driven.windows.map((window) => ({ start: window.injected_ts, end: window.healed_ts })),
    )
    // Checkers and their mutants were asked to end early then.
    input.signal.throwIfAborted()
  } catch (error) {
    record.error = endedBy(error, phase, input.signal)
    // Without them nobody could tell the operations that a fault met.
    if (record.faults.length === 0) record.faults = [...(faults?.windows() ?? [])]
  } finally {
    await pass?.close().catch((error: unknown) => {
      record.error ??= endedBy(error, 'stop', input.signal)
    })
    await observation?.complete(record)
  }
  return record
}

function emptyRecord(input: PassInput): RunRecord {
  return {
    name: input.name,
    purpose: input.purpose,
    seed: input.seed,
    startedAt: new Date().toISOString(),
    durationMs: 0,
    system: input.spec.system.name,
    nodes: [],
    systemKind: input.spec.system.spec.nodes.kind,
    offers: {},
    recording: { mechanism: 'in-process', clock: 'monotonic' },
    history: null,
    logs: [],
    load: null,
    faults: [],
    schedule: [],
    recoveryMs: null,
    nominal: null,
    logScan: null,
    host: null,
    controls: [],
    checks: [],
    sensitivity: [],
    properties: [],
    weak: [],
    notes: [],
    error: null,
  }
}

function recordOf(driven: Driven): Partial<RunRecord> {
  const { durationMs, load, windows, scheduled, notes, nominal } = driven
  return { durationMs, load, faults: [...windows], schedule: [...scheduled], notes: [...notes], nominal }
}

/** A fault window as checkers see it. */
export function spanOf({ id, fault, target, landed_ts, injected_ts, healed_ts }: FaultWindow): FaultSpan {
  return { epoch: id, name: `${fault} ${target}`, start: landed_ts ?? injected_ts, end: healed_ts }
}

async function untilReady({ input, running }: Pass): Promise<void> {
  const { name, spec } = input.spec.system
  if (spec.ready === undefined) return
  const timeoutMs = settleMs(input.spec)
  const polled = await poll(() => spec.ready?.(running.nodes), { timeoutMs, signal: input.signal })
  if (polled.done || input.signal.aborted) return
  throw new EnvironmentError(
    name,
    `${name} did not become ready within ${timeoutMs} ms; last: ${polled.last}`,
    'read the node logs of this run; raise `settle` of the system if it is only slow',
  )
}

/** See `recoveryMs` of the record. The workload may have gone on between recovery and rest; that time does not count. */
async function recovered({ input, running }: Pass, { after }: Driven): Promise<number | null> {
  if (after !== null && after.readyMs === null) return null
  const { spec } = input.spec.system
  const timeoutMs = settleMs(input.spec)
  let ms = after?.readyMs ?? 0
  for (const condition of [spec.ready, spec.quiesced]) {
    if (condition === undefined) continue
    const polled = await poll(() => condition(running.nodes), { timeoutMs, signal: input.signal })
    if (!polled.done) return null
    ms += polled.ms
  }
  return ms
}

function endedBy(error: unknown, phase: string, signal: AbortSignal): NonNullable<RunRecord['error']> {
  const hint = error instanceof NemesisError ? (error.hint ?? null) : null
  const message = messageOf(error)
  if (signal.aborted)
    return { phase, kind: 'interrupted', message: `cancelled in phase ${phase}`, hint: message }
  // What is thrown by nobody of ours comes from the code of the test.
  const harness =
    !(error instanceof NemesisError) || error instanceof HarnessError || error instanceof DeclarationError
  return { phase, kind: harness ? 'harness' : 'environment', message, hint }
}

/** Where the files of a pass go, relative to the session directory. */
export function passPaths(sessionDir: string, scenario: string, name: string) {
  return {
    artifacts: join(sessionDir, 'artifacts', scenario, name),
    logs: join(sessionDir, 'logs', scenario, name),
    metrics: join(sessionDir, 'metrics', scenario, `${name}.json`),
  }
}
