import type { Timestamp } from './timestamp.js'

/** A value with its version. An unwritten key has value null and the timestamp `beginning`. */
export interface Versioned {
  readonly timestamp: Timestamp
  readonly value: unknown
}

/** What a node tells about itself; the same request serves clients, tests and the repair of replicas. */
export interface Status {
  readonly node: string
  /** Requests being served plus requests to peers that wait for an answer. */
  readonly inFlight: number
  /** The newest version that this replica holds, by key. */
  readonly timestamps: Readonly<Record<string, Timestamp>>
}

/**
 * Requests, one JSON object a line with an `id` beside these fields. The answer carries the same id and either
 * `result` or `error`; answers come in any order.
 *
 * `read` and `write` are for clients, `query` and `store` for the other nodes.
 */
export type Request =
  | { readonly type: 'read'; readonly key: string }
  | { readonly type: 'write'; readonly key: string; readonly value: unknown }
  | { readonly type: 'query'; readonly key: string }
  | { readonly type: 'store'; readonly key: string; readonly version: Versioned }
  | { readonly type: 'status' }

/** What `read` and `write` answer: the version that was read or written, and the node that coordinated. */
export interface Answer extends Versioned {
  readonly node: string
}

/**
 * `no-quorum`: too few replicas told what they hold; nothing was written. `not-confirmed`: too few replicas confirmed
 * the write in time; it may take effect. `unreachable`: the request was never sent. `connection-lost`, `no-answer`: it
 * was, and nobody knows more. `bad-request`: not understood.
 */
export type ErrorCode =
  | 'no-quorum'
  | 'not-confirmed'
  | 'unreachable'
  | 'connection-lost'
  | 'no-answer'
  | 'bad-request'

/** Anything that went wrong between a client and a node, or between two nodes. */
export class RegisterError extends Error {
  readonly code: ErrorCode

  constructor(code: ErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'RegisterError'
    this.code = code
  }
}

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: { readonly code: ErrorCode; readonly message: string } }
