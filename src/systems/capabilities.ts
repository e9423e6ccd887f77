/**
 * What a kind of system offers to faults. Faults are written against these, never against Docker or processes.
 */
export const capabilityNames = ['lifecycle', 'network'] as const
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
  /** Takes the rule away. Safe to call twice. */
  remove(): Promise<void>
  /** True while anything of the rule is still in place. */
  present(): Promise<boolean>
}

export interface Network {
  /** The links that rules can be put on. */
  readonly links: readonly Link[]
  /** Drops everything on the links (`drop`), or answers it with a reset (`reject`). */
  block(links: readonly Link[], mode: 'drop' | 'reject'): Promise<NetworkRule>
  /** Delays everything on the links by `delayMs`, give or take `jitterMs`. */
  delay(links: readonly Link[], delayMs: number, jitterMs: number): Promise<NetworkRule>
  /** Only counts what crosses the links, as `passed`; `met` stays 0. Left out where that cannot be counted. */
  watch?(links: readonly Link[]): Promise<NetworkRule>
}
