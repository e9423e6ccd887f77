/** How to run one node. */
export interface NodeCommand {
  readonly name: string
  readonly command: readonly string[]
  /** Put before each command to run it where the node runs; empty where that is the machine itself. */
  readonly inside: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly logFile: string
}

/** How a process ended: by itself with an exit code, or by a signal. */
export interface Ending {
  readonly exitCode: number | null
  readonly signal: string | null
}
