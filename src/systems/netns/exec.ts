import { FaultError } from '../../errors.js'

/**
 * Runs programs in network namespaces, each named by the id of its node. That of a container lives only as long as the
 * container runs, so every call enters the present one.
 */
export interface NamespaceExec {
  /** For people: `nsenter` or `helper container`. */
  readonly mechanism: string
  /** Runs a program to its end and returns what it printed. Throws CommandFailed when it exits with another code than 0. */
  run(id: string, argv: readonly string[], stdin?: string): Promise<string>
  /** The text of `/proc/net/<file>` inside, such as `snmp`. */
  readNet(id: string, file: string): Promise<string>
  /** Starts a program of this machine inside. It must end when its standard input does. */
  start(id: string, file: string, args: readonly string[]): Promise<NamespaceProcess>
  /** Removes what was made for entering. */
  close(): Promise<void>
}

/** A program that runs inside a namespace. It ends with this process at the latest, as its standard input does. */
export interface NamespaceProcess {
  write(text: string): void
  onLine(listener: (line: string) => void): void
  /** Ends its standard input. */
  end(): void
  /** Resolves with what it printed on standard error when it has ended. */
  readonly exited: Promise<string>
}

/** A program inside a namespace exited with another code than 0, or did not end in time: `how` says which. */
export class CommandFailed extends FaultError {
  readonly stderr: string

  constructor(argv: readonly string[], how: string, stderr: string) {
    super('namespace-command', `${argv.join(' ')} ${how}: ${stderr.trim()}`)
    this.stderr = stderr
  }
}

/** Cuts a stream of chunks into lines. */
export function splitLines(listener: (line: string) => void): (chunk: string | Buffer) => void {
  let rest = ''
  return (chunk) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') listener(line)
  }
}
