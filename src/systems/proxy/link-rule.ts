/** What a rule does to traffic on its links. */
export type Effect = { readonly kind: 'drop' } | { readonly kind: 'reject' } | Delay | Limit

/** Holds each chunk for a time that is drawn anew. */
export interface Delay {
  readonly kind: 'delay'
  delayMs(): number
}

/** Lets only so much through in a time. */
export interface Limit {
  readonly kind: 'limit'
  /** Takes these bytes on: how long they have to wait for their turn, in milliseconds. */
  waitMs(bytes: number): number
  /** Data is cut into pieces of this size, so that it trickles. */
  readonly pieceBytes: number
  /** What one direction of one connection may have waiting before its sender has to stop. */
  readonly heldBytesMax: number
}

/** What traffic on a link belongs to: the half of a connection, and when that was opened (`performance.now()`). */
export interface Belonging {
  readonly half: 'request' | 'answer'
  readonly openedAt: number
}

/** One rule on one directed link. */
export interface LinkRule {
  readonly effect: Effect
  /** Whether the rule is about this traffic. */
  covers(traffic: Belonging): boolean
  /** Chunks of data and connection attempts that the rule has held, refused or delayed. */
  met: number
  /** Bytes of those chunks. */
  metBytes: number
}
