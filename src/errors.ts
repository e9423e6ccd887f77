/**
 * Base of every error that this package throws on purpose.
 *
 * `message` says where (file, scenario, fault, line) and what was expected; `hint` says what to do next.
 */
export class NemesisError extends Error {
  readonly code: string
  /** The message without the hint. */
  readonly summary: string
  readonly hint: string | undefined

  constructor(code: string, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(options.hint === undefined ? message : `${message}\n  -> ${options.hint}`, { cause: options.cause })
    this.name = new.target.name
    this.code = code
    this.summary = message
    this.hint = options.hint
  }
}

/** The user's declaration (claim, scenario, system, option) is wrong; thrown at collection, before anything starts. */
export class DeclarationError extends NemesisError {}

/** A history file cannot be used: names the file and the line. */
export class HistoryError extends NemesisError {
  readonly file: string
  readonly line: number | undefined

  constructor(code: string, file: string, line: number | undefined, message: string, hint?: string) {
    super(
      code,
      `${file}${line === undefined ? '' : `:${line}`}: ${message}`,
      hint === undefined ? {} : { hint },
    )
    this.file = file
    this.line = line
  }
}

/** Something that this machine lacks: becomes `INCONCLUSIVE-env`, with what is missing and how to get it. */
export class EnvironmentError extends NemesisError {
  readonly missing: string

  constructor(missing: string, message: string, hint: string) {
    super('environment', message, { hint })
    this.missing = missing
  }
}

/** A node, container or proxy could not be started, reached or driven. */
export class SystemError extends NemesisError {}

/** A fault could not be injected or undone. */
export class FaultError extends NemesisError {}

/**
 * The harness itself is wrong, not the system: a recorder, driver or callback of the user broke its contract.
 * What was recorded up to then stays valid.
 */
export class HarnessError extends NemesisError {}

/** The files of a session cannot be read or written: names the file and what is wrong with it. */
export class SessionError extends NemesisError {}

/** A plan document, or a file that is made from one, cannot be used: names the file and the line. */
export class PlanError extends NemesisError {
  constructor(code: string, file: string, line: number | undefined, message: string, hint: string) {
    super(code, `${file}${line === undefined ? '' : `:${line}`}: ${message}`, { hint })
  }
}

/** The skills for coding agents cannot be installed where they should be: names the file or agent and what is wrong. */
export class SkillsError extends NemesisError {}

/** The message of anything thrown, without a stack and without the hint of a NemesisError. */
export function messageOf(error: unknown): string {
  if (error instanceof NemesisError) return error.summary
  return error instanceof Error ? error.message : String(error)
}
