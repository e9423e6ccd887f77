import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { thisMachine } from '../../environment/host/machine.js'
import { HostWatch } from '../../environment/host/watch.js'
import { messageOf } from '../../errors.js'
import type { Host, HostSignal } from '../../session/host-record.js'
import { metricsSchema } from '../../session/metrics-record.js'
import type { RunRecord } from '../../session/record.js'
import { writeAtomically } from '../../session/write-atomically.js'
import { scanLogs } from './log-scan/scan.js'
import { perSecond } from './per-second.js'
import type { Pass } from './setup.js'

const nodeDisk = 'data of a node'

/** What goes on around a pass: the machine while it runs, and the logs of the nodes when it is over. */
export class Observation {
  readonly #pass: Pass
  readonly #watch: HostWatch

  private constructor(pass: Pass, watch: HostWatch) {
    this.#pass = pass
    this.#watch = watch
  }

  /** Begins to watch the machine. */
  static async of(pass: Pass): Promise<Observation> {
    const { input, running, clock } = pass
    const source = await thisMachine([
      { name: 'session directory', path: input.sessionDir },
      { name: 'temporary directory', path: tmpdir() },
      ...(running.dataDirs ?? []).map((path) => ({ name: nodeDisk, path })),
    ])
    return new Observation(pass, new HostWatch({ source, now: () => clock.now() }))
  }

  /** Ends the watch, before this process has work of its own that keeps it busy. Safe to call twice. */
  stop(): Promise<void> {
    return this.#watch.stop()
  }

  /** Completes the record, and writes the run's metrics, once the system is stopped. */
  async complete(record: RunRecord): Promise<void> {
    const { input, recorder } = this.#pass
    await this.stop()
    record.host = withoutOwnDoing(this.#watch.host, record)
    const full = diskFullError(record, this.#pass.clock.now())
    if (full !== null) record.host.signals.push(full)
    record.logScan = await scanLogs({
      files: record.logs.map((name) => ({ name, path: join(input.sessionDir, name) })),
      rules: input.spec.system.spec.logs ?? {},
      faults: record.faults.map(({ fault }) => fault),
    })
    const metrics = metricsSchema.parse({
      run: record.name,
      nominal: record.nominal,
      seconds: perSecond(recorder.operations()),
      host: this.#watch.samples,
    })
    try {
      await writeAtomically(input.paths.metrics, `${JSON.stringify(metrics)}\n`)
    } catch (error) {
      record.notes.push(`its metrics could not be written: ${messageOf(error)}`)
    }
  }
}

/** A node's disk that a fault of the run fills is no event of the machine. */
function withoutOwnDoing(host: Host, { faults }: RunRecord): Host {
  if (!faults.some(({ fault }) => fault === 'disk-full')) return host
  return { ...host, signals: host.signals.filter(({ detail }) => !detail.startsWith(nodeDisk)) }
}

/** A disk may fill and have room again between two readings; what could not be written meanwhile tells of it. */
function diskFullError({ error, host }: RunRecord, now: number): HostSignal | null {
  if (error === null || !/ENOSPC/.test(error.message)) return null
  if (host?.signals.some(({ kind }) => kind === 'disk-full')) return null
  return { kind: 'disk-full', from_ts: now, to_ts: now, detail: error.message }
}
