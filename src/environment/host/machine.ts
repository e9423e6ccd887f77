import { monitorEventLoopDelay } from 'node:perf_hooks'
import { messageOf } from '../../errors.js'
import { cgroupFiles, fieldOf, readText, throttledMsOf, type ReadText } from './cgroups.js'
import { distinctDisks, readDisk, type Disk } from './disks.js'
import type { HostReading, HostSource } from './reading.js'

const delayResolutionMs = 20

/** This machine: `/proc`, the control groups, the file systems of the directories, the clocks and our own event loop. */
export async function thisMachine(
  directories: readonly Disk[],
  read: ReadText = readText,
): Promise<HostSource> {
  const watched: string[] = ['clocks', 'event loop']
  const unwatched: string[] = []
  const open = async <T>(what: string, look: () => Promise<T | null>): Promise<T | null> => {
    try {
      const found = await look()
      if (found !== null) {
        watched.push(what)
        return found
      }
      unwatched.push(`${what}: there is none`)
    } catch (error) {
      unwatched.push(`${what}: ${messageOf(error)}`)
    }
    return null
  }
  const some = async (controller: string, ...names: string[]) => {
    for (const file of names) {
      const files = await cgroupFiles({ controller, file }, read)
      if (files.length > 0) return files
    }
    return null
  }
  const stat = await open('/proc/stat (steal)', async () => cpuOf(await read('/proc/stat')) && '/proc/stat')
  const quotas = await open('cpu.stat (throttling)', () => some('cpu', 'cpu.stat'))
  const vmstat = await open('/proc/vmstat (OOM kills)', async () =>
    fieldOf(await read('/proc/vmstat'), 'oom_kill') === null ? null : '/proc/vmstat',
  )
  const memory = await open('memory.events (OOM kills)', () =>
    some('memory', 'memory.events', 'memory.oom_control'),
  )
  const disks = await distinctDisks(directories)
  for (const { name } of disks) watched.push(`free space: ${name}`)
  const delay = monitorEventLoopDelay({ resolution: delayResolutionMs })
  delay.enable()

  const sum = async (files: readonly string[], valueOf: (text: string) => number) => {
    const values = await Promise.all(files.map(async (file) => valueOf(await read(file))))
    return values.reduce((total, value) => total + value, 0)
  }
  return {
    watched,
    unwatched,
    async read(): Promise<HostReading> {
      const stallMs = Math.max(0, delay.max / 1e6 - delayResolutionMs)
      delay.reset()
      const oomFiles = [...(vmstat === null ? [] : [[vmstat]]), ...(memory === null ? [] : [memory])]
      const oomKills = oomFiles.map((files) => sum(files, (text) => fieldOf(text, 'oom_kill') ?? 0))
      return {
        cpu: stat === null ? null : cpuOf(await read(stat)),
        throttledMs: quotas === null ? null : await sum(quotas, throttledMsOf),
        oomKills: await Promise.all(oomKills),
        wallAheadMs: wallAhead(),
        disks: (await Promise.all(disks.map(readDisk))).filter((disk) => disk !== null),
        stallMs,
      }
    },
    close: () => delay.disable(),
  }
}

/** Of the line `cpu` of `/proc/stat`; null where the kernel counts no stolen time. */
function cpuOf(stat: string): HostReading['cpu'] {
  const ticks = /^cpu +([\d ]+)$/m.exec(stat)?.[1]?.split(' ').map(Number)
  const stolen = ticks?.[7]
  if (ticks === undefined || stolen === undefined) return null
  // The time of guests, which follows, is part of the user's.
  return { stolen, all: ticks.slice(0, 8).reduce((sum, value) => sum + value, 0) }
}

/** Asked again when this process was put aside between the two clocks. */
function wallAhead(): number {
  let best = { ahead: 0, tookMs: Infinity }
  for (let tries = 0; tries < 3 && best.tookMs > 1; tries++) {
    const before = performance.now()
    const wall = Date.now()
    const tookMs = performance.now() - before
    if (tookMs < best.tookMs) best = { ahead: wall - before, tookMs }
  }
  return best.ahead
}
