/** What a rule does to traffic on its links. `delayMs` is drawn anew for each chunk. */
export type Effect = { readonly kind: 'drop' } | { readonly kind: 'reject' } | Delay

export interface Delay {
  readonly kind: 'delay'
  delayMs(): number
}

/** One rule on one directed link. */
export interface LinkRule {
  readonly effect: Effect
  /** Chunks of data and connection attempts that the rule has held, refused or delayed. */
  met: number
}
