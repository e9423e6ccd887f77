/** Ways in which two identifiers are taken for one, and what a system that takes them so does. */
export const confusions = [
  'same-name',
  'prefix-collision',
  'case-folding',
  'embedded-separator',
  'trailing-characters',
  'recycled-id',
  'off-by-one',
  'integer-overflow',
  'unicode-normalisation',
] as const
export type Confusion = (typeof confusions)[number]

/** What an identifier is made of: a scope, such as a tenant, and a name within it. */
export interface Identifier {
  readonly scope: string
  readonly id: string
}

/** Two identifiers of different things, of which `ours` may be reached and `theirs` may not. */
export interface IdentifierPair {
  /** How a careless system confuses them; `unlike` when they have nothing in common. */
  readonly kind: Confusion | 'unlike'
  readonly ours: Identifier
  readonly theirs: Identifier
}
