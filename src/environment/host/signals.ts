import type { HostSignal } from '../../session/host-record.js'
import type { DiskReading, HostSample } from './reading.js'

/**
 * From when on something counts. A machine that is merely busy reaches none of them: its own load takes time from nobody's
 * quota, and two processors shared by twenty programs leave none of them waiting for half a second.
 */
export const hostThresholds = {
  /** Share of processor time that the hypervisor gave to others, for a second or longer. */
  stealShare: 0.1,
  /** Share of the time that our control groups were held back, for a second or longer. */
  throttledShare: 0.1,
  lastingMs: 1_000,
  /** A clock that is set right by slewing moves by half a millisecond a second. */
  clockStepMs: 100,
  stallMs: 500,
  /** Free space below which a disk is as good as full; on small disks the share, if that is less. */
  freeBytes: 64 * 1_024 * 1_024,
  freeShare: 0.05,
} as const

/** What happened between readings, from which one on to which. Times are nanoseconds of the run's clock. */
export function hostSignals(samples: readonly HostSample[]): HostSignal[] {
  const steps = samples
    .slice(1)
    .map((after, index): Step => ({ before: samples[index] as HostSample, after }))
  return [
    ...lasting(
      steps,
      'steal',
      stolenShare,
      hostThresholds.stealShare,
      'of the processor time was stolen by other machines',
    ),
    ...lasting(
      steps,
      'throttling',
      throttledShare,
      hostThresholds.throttledShare,
      'of the time a quota held the processes back',
    ),
    ...steps.flatMap(oomKill),
    ...steps.flatMap(clockStep),
    ...steps.flatMap(stall),
    ...fullDisks(samples),
  ].toSorted((a, b) => a.from_ts - b.from_ts)
}

interface Step {
  readonly before: HostSample
  readonly after: HostSample
}

const msOf = ({ before, after }: Step) => (after.ts - before.ts) / 1e6

function stolenShare({ before, after }: Step): number {
  if (before.cpu === null || after.cpu === null || after.cpu.all <= before.cpu.all) return 0
  return (after.cpu.stolen - before.cpu.stolen) / (after.cpu.all - before.cpu.all)
}

function throttledShare(step: Step): number {
  const { before, after } = step
  if (before.throttledMs === null || after.throttledMs === null) return 0
  return (after.throttledMs - before.throttledMs) / Math.max(1, msOf(step))
}

/** Runs of steps whose share reaches the threshold, those that last. */
function lasting(
  steps: readonly Step[],
  kind: 'steal' | 'throttling',
  shareOf: (step: Step) => number,
  threshold: number,
  what: string,
): HostSignal[] {
  const spans: Step[] = []
  for (const step of steps.filter((one) => shareOf(one) >= threshold)) {
    const last = spans.at(-1)
    if (last?.after === step.before) spans[spans.length - 1] = { before: last.before, after: step.after }
    else spans.push(step)
  }
  return spans
    .filter((span) => msOf(span) >= hostThresholds.lastingMs)
    .map((span) =>
      signal(kind, span, `${Math.round(Math.min(1, shareOf(span)) * 100)}% ${what} over ${seconds(span)}`),
    )
}

function oomKill(step: Step): HostSignal[] {
  const more = step.after.oomKills.map((count, index) => count - (step.before.oomKills[index] ?? count))
  const killed = Math.max(0, ...more)
  if (killed === 0) return []
  const processes = killed === 1 ? '1 process was' : `${killed} processes were`
  return [signal('oom-kill', step, `${processes} killed for want of memory`)]
}

function clockStep(step: Step): HostSignal[] {
  const ms = step.after.wallAheadMs - step.before.wallAheadMs
  if (Math.abs(ms) < hostThresholds.clockStepMs) return []
  return [
    signal(
      'clock-step',
      step,
      `the clock of the machine was set ${ms > 0 ? 'forward' : 'back'} by ${Math.round(Math.abs(ms))} ms`,
    ),
  ]
}

function stall(step: Step): HostSignal[] {
  const { stallMs } = step.after
  if (stallMs < hostThresholds.stallMs) return []
  return [signal('stall', step, `the test process itself stood still for ${Math.round(stallMs)} ms`)]
}

function isFull({ freeBytes, totalBytes, filesUsedUp }: DiskReading): boolean {
  return filesUsedUp || freeBytes < Math.min(hostThresholds.freeBytes, totalBytes * hostThresholds.freeShare)
}

/** One signal for each time that a disk fills, from the last reading at which it had room until it has room again. */
function fullDisks(samples: readonly HostSample[]): HostSignal[] {
  const signals: HostSignal[] = []
  for (const name of new Set(samples.flatMap(({ disks }) => disks.map((disk) => disk.name)))) {
    let open: { from: number; last: number; disk: DiskReading } | null = null
    const close = () => {
      if (open === null) return
      const { from, last, disk } = open
      const left = disk.filesUsedUp
        ? 'no further file can be made'
        : `${mebibytes(disk.freeBytes)} of ${mebibytes(disk.totalBytes)} MiB were free`
      signals.push({ kind: 'disk-full', from_ts: from, to_ts: last, detail: `${name}: ${left}` })
      open = null
    }
    for (const [index, { ts, disks }] of samples.entries()) {
      const disk = disks.find((one) => one.name === name)
      if (disk === undefined) continue
      if (!isFull(disk)) close()
      else if (open === null) open = { from: samples[index - 1]?.ts ?? ts, last: ts, disk }
      else open = { from: open.from, last: ts, disk: disk.freeBytes < open.disk.freeBytes ? disk : open.disk }
    }
    close()
  }
  return signals
}

function signal(kind: HostSignal['kind'], { before, after }: Step, detail: string): HostSignal {
  return { kind, from_ts: before.ts, to_ts: after.ts, detail }
}

function seconds(step: Step): string {
  return `${(msOf(step) / 1e3).toFixed(1)} s`
}

function mebibytes(bytes: number): string {
  return (bytes / 1_024 ** 2).toFixed(bytes < 10 * 1_024 ** 2 ? 1 : 0)
}
