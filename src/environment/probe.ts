/** What one probe found out about this machine. */
export interface Capability {
  readonly name: string
  readonly present: boolean
  /** What was found, such as a version; or why it does not work. */
  readonly detail: string
  /** What cannot be done without it. */
  readonly blocks: string
  /** The command or step that brings it; null when nothing does. */
  readonly install: string | null
}

/** Finds out about one thing. Changes nothing outside namespaces of its own, installs nothing, and does not throw. */
export type Probe = (context: ProbeContext) => Promise<Capability>

export interface ProbeContext {
  /** The project's directory. */
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}
