/**
 * What a kind of system offers to faults. Faults are written against these, never against Docker or processes.
 */
export const capabilityNames = ['lifecycle', 'network', 'storage', 'clock', 'exec'] as const
export type CapabilityName = (typeof capabilityNames)[number]

/** What the engine or the kernel says about a node at this moment. */
export interface NodeState {
  readonly status: 'running' | 'paused' | 'exited'
  readonly pid: number | null
  /** Changes with every start. */
  readonly startedAt: string | null
  readonly exitCode: number | null
  /** The signal that ended it, such as `SIGKILL`. */
  readonly exitSignal: string | null
  /** CPU time that the node has used so far; stands still while it is paused. Null where it cannot be read. */
  readonly cpuMs: number | null
  /** What starts the node again when it ends, such as `its restart policy (always)`; left out where nothing is known to. */
  readonly restartedBy?: string
}

/** A limit of the CPU time that a node gets, in place. */
export interface CpuLimit {
  /** How it was done, such as `CPU quota of a control group (v2)`. */
  readonly mechanism: string
  /** How often the kernel made the node wait because it had used up its time since the limit came in, and for how long in all. */
  throttled(): Promise<{ readonly periods: number; readonly ms: number }>
  /** Why it does not hold any more although nobody removed it, such as a restart of the node; null while it does. */
  lost(): Promise<string | null>
  /** Takes the limit away. Safe to call twice. */
  remove(): Promise<void>
  present(): Promise<boolean>
}

/** Starting and ending nodes. Every call resolves when the engine or kernel reports the change. */
export interface Lifecycle {
  /** How it works here, such as `SIGKILL to the process group` or `Docker API kill`. */
  readonly mechanism: string
  kill(node: string): Promise<void>
  /** Asks the node to end; kills it after `graceMs`. */
  stop(node: string, graceMs: number): Promise<void>
  pause(node: string): Promise<void>
  resume(node: string): Promise<void>
  /** Starts a node that has exited, with the same address and data. */
  start(node: string): Promise<void>
  state(node: string): Promise<NodeState>
  /** Lets a node have only so many CPUs: 0.05 is a twentieth of one. Left out where there are no such limits. */
  limitCpu?(node: string, cpus: number): Promise<CpuLimit>
  /**
   * Victim's side: connects to the node's first declared port.
   * `answers`: accepted. `refused`: reset or unreachable. `silent`: nothing came back within `timeoutMs`.
   */
  probe(node: string, timeoutMs: number): Promise<'answers' | 'refused' | 'silent'>
}

/** Traffic in one direction. `clients` stands for everything that drives the system. */
export interface Link {
  readonly from: string
  readonly to: string
}

/** `n1->n2` */
export function linkName(link: Link): string {
  return `${link.from}->${link.to}`
}

/** What has met a rule on one link since it was put there. Units depend on the mechanism: packets or chunks. */
export interface LinkCounter {
  readonly link: Link
  /** Traffic that the rule dropped, held, rejected or delayed. */
  readonly met: number
  /** Traffic that crossed the link untouched. */
  readonly passed: number
  /** How long a delay held what it met, on average; left out where that is not measured. */
  readonly meanHeldMs?: number
  /** Bytes of what was met; left out where they are not counted. */
  readonly metBytes?: number
}

/** What the nodes at the ends of the links say by themselves, such as retransmissions or refused connections. */
export interface VictimReading {
  readonly node: string
  readonly signal: string
  readonly value: number
}

/** A network fault in place. */
export interface NetworkRule {
  /** How it was done, such as `nft in the network namespace` or `TCP proxy`. */
  readonly mechanism: string
  counters(): Promise<readonly LinkCounter[]>
  /** Readings that grow when a node suffers from the rule. */
  victims(): Promise<readonly VictimReading[]>
  /** Traffic that goes round the rule, each named: empty when none was seen. */
  bypasses(): Promise<readonly string[]>
  /** Where it should be in place and is not any more although nobody removed it; null while it is. Left out where that cannot happen. */
  lost?(): Promise<string | null>
  /** Takes the rule away. Safe to call twice. */
  remove(): Promise<void>
  /** True while anything of the rule is still in place. */
  present(): Promise<boolean>
}

/** What a cut does about connections. */
export interface BlockOptions {
  /**
   * `packets` (default): everything on the links. `connections`: only what belongs to connections which `from` opens to
   * `to`; what `from` sends on connections that `to` has opened gets through.
   */
  readonly level?: 'packets' | 'connections'
  /** Connections that exist already: `cut` (default) like everything else, or `left` as they are. */
  readonly established?: 'cut' | 'left'
}

/** For rules that draw at random. */
export interface DrawOptions {
  /** The same seed draws the same again, where the mechanism can be seeded. */
  readonly seed?: number
}

export interface Network {
  /** The links that rules can be put on. */
  readonly links: readonly Link[]
  /** Drops everything on the links (`drop`), or answers it with a reset (`reject`). */
  block(links: readonly Link[], mode: 'drop' | 'reject', options?: BlockOptions): Promise<NetworkRule>
  /** Delays everything on the links by `delayMs`, give or take `jitterMs`. */
  delay(
    links: readonly Link[],
    delayMs: number,
    jitterMs: number,
    options?: DrawOptions,
  ): Promise<NetworkRule>
  /** Loses this share (0 to 1) of the packets on the links. Left out where there are no packets to lose. */
  lose?(links: readonly Link[], share: number, options?: DrawOptions): Promise<NetworkRule>
  /** Lets no more than so many bits a second through on each link. */
  limit?(links: readonly Link[], bitsPerSecond: number): Promise<NetworkRule>
  /** Only counts what crosses the links, as `passed`; `met` stays 0. Left out where that cannot be counted. */
  watch?(links: readonly Link[]): Promise<NetworkRule>
}

/** What goes wrong with a node's files, from the moment it is asked for. */
export type Disturbance =
  /** No space is left: writes get ENOSPC. */
  | { readonly kind: 'full' }
  /** Writes and syncs take so much longer. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** The operation fails with the error. */
  | {
      readonly kind: 'fail'
      readonly operation: 'fsync' | 'write' | 'read'
      readonly error: 'EIO' | 'ENOSPC'
    }
  /** One bit is flipped in every so many reads, or writes. */
  | { readonly kind: 'flip'; readonly on: 'read' | 'write'; readonly every: number }

export type DisturbanceKind = Disturbance['kind'] | 'power-loss'

/** A reading that is not a count. */
export interface StorageReading {
  readonly signal: string
  readonly before: number | string
  readonly after: number | string
}

/** A file below a node's data directory. */
export interface StoredFile {
  /** Relative to the data directory, with `/` between its parts. */
  readonly path: string
  readonly bytes: number
}

/** A file that has been replaced, with a copy of what was in it, kept outside the data directory. */
export interface ReplacedFile {
  /**
   * Writes the copy back and drops it; the node should be down. False when the file does not hold any more what it was
   * replaced by: the node has gone on with it, and what it wrote since is left alone. Safe to call twice.
   */
  restore(): Promise<boolean>
}

/** A storage fault in place. */
export interface StorageRule {
  /** How it was done, such as `strace error injection` or `FUSE file system`. */
  readonly mechanism: string
  /** What the mechanism itself did so far, such as `fsyncs that failed`; each grows when the fault meets a file operation. */
  counters(): Promise<readonly { readonly signal: string; readonly value: number }[]>
  /** What else it can show, with the value from before it was put there, such as free bytes. Left out where there is nothing. */
  readings?(): Promise<readonly StorageReading[]>
  /** What the node was given or is left with because of it, such as a byte with a flipped bit. Left out where there is nothing. */
  victims?(): Promise<readonly StorageReading[]>
  /** Takes it away. Safe to call twice. */
  remove(): Promise<void>
  /** True while anything of it is still in place. */
  present(): Promise<boolean>
}

/** The files in a node's data directory, and what may happen to them. */
export interface Storage {
  /** Null when the disturbance can be made here, else what is missing and how to get it. */
  lacks(kind: DisturbanceKind): Missing | null
  disturb(node: string, disturbance: Disturbance): Promise<StorageRule>
  /**
   * Ends the node as if the power failed: what it wrote and did not sync is gone. Resolves when it is down; start it by
   * `Lifecycle`. `lost` counts the bytes, or files, that vanished where that is known.
   */
  losePower(node: string): Promise<{ readonly mechanism: string; readonly lost: number | null }>
  /** Free and all bytes of the file system that holds the node's data. */
  space(node: string): Promise<{ readonly freeBytes: number; readonly totalBytes: number }>
  /** Files below the data directory, by path relative to it. */
  files(node: string): Promise<readonly StoredFile[]>
  read(node: string, path: string): Promise<Uint8Array>
  /**
   * Replaces the content of a file, of which a copy is kept; a run that dies has it written back. The node should be
   * down: a running one may hold the old content in memory.
   */
  replace(node: string, path: string, content: Uint8Array): Promise<ReplacedFile>
}

/** A clock fault in place. */
export interface ClockRule {
  readonly mechanism: string
  /** The node's processes that see a changed time, and those that see the machine's; read from the processes themselves. */
  reach(): Promise<{ readonly changed: number; readonly unchanged: number }>
  /** Why it is not in place any more although nobody removed it, such as a restart of the node; null while it is. */
  lost(): Promise<string | null>
  /** Sets the clock right again. Safe to call twice. */
  remove(): Promise<void>
  present(): Promise<boolean>
}

/** The clocks of nodes, as their own processes see them. The machine's clock is never touched. */
export interface NodeClocks {
  /** Puts the clock forward (or back) by so many milliseconds. */
  skew(node: string, offsetMs: number): Promise<ClockRule>
  /** Lets the clock run this many times as fast: 0.5 is half. Monotonic time as well. */
  rate(node: string, factor: number): Promise<ClockRule>
}

export interface ExecResult {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Commands where a node runs: in its namespaces, with its files. */
export interface Exec {
  readonly mechanism: string
  /** Runs an argument vector, never a shell line. Rejects only when it cannot be started or takes too long. */
  run(
    node: string,
    command: readonly string[],
    options?: { readonly input?: string; readonly timeoutMs?: number },
  ): Promise<ExecResult>
}

/** A capability, or a part of one, that is not there, and how to get it. */
export interface Missing {
  readonly what: string
  readonly hint: string
}
