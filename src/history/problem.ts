/** What can be wrong with a recorded history. Each is one `code` of HistoryError. */
export type HistoryProblemCode =
  | 'unreadable'
  | 'empty'
  | 'binary'
  | 'truncated'
  | 'not-json'
  | 'unknown-format'
  | 'missing-field'
  | 'unknown-field'
  | 'wrong-type'
  | 'inconsistent-outcome'
  | 'completes-before-invoked'
  | 'duplicate-id'
  | 'invoked-twice'
  | 'completion-without-invocation'
  | 'mismatched-completion'

/** One thing wrong with one line or operation, before it is known in which file. */
export interface HistoryProblem {
  readonly code: HistoryProblemCode
  /** One line: what was found and what was expected. */
  readonly message: string
  /** What to do next, where there is more to say than "record it again". */
  readonly hint?: string
}
