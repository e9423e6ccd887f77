/** What the machine says of itself at one moment. Counters count from some start; null where it does not say. */
export interface HostReading {
  /** Ticks of all processors: those that the hypervisor gave to others, and all. */
  readonly cpu: { readonly stolen: number; readonly all: number } | null
  /** Milliseconds that our control groups were held back by a quota. */
  readonly throttledMs: number | null
  /** Processes killed for want of memory, by counters that may overlap: of the machine, of our own control groups. */
  readonly oomKills: readonly number[]
  /** Milliseconds by which the wall clock is ahead of the monotonic one. */
  readonly wallAheadMs: number
  readonly disks: readonly DiskReading[]
  /** The longest time in milliseconds since the last reading in which this process did nothing that was due. */
  readonly stallMs: number
}

export interface DiskReading {
  /** What lies on it, such as `session directory`. */
  readonly name: string
  readonly freeBytes: number
  readonly totalBytes: number
  /** True when no further file can be made. */
  readonly filesUsedUp: boolean
}

/** A reading at a time on the run's clock, in nanoseconds. */
export interface HostSample extends HostReading {
  readonly ts: number
}

/** Where readings come from. */
export interface HostSource {
  /** What can be read, such as `/proc/stat`. */
  readonly watched: readonly string[]
  /** What cannot, with the reason. */
  readonly unwatched: readonly string[]
  read(): Promise<HostReading>
  close(): void
}
