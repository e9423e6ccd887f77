import type { Confusion } from '../boundary/confusable/confusion.js'

/** A pair of identifiers that a careless system takes for one. */
export interface ConfusionNote {
  /** What the two have in common. */
  readonly alike: string
  /** How a system comes to confuse them. */
  readonly trap: string
}

/** Every kind of pair that `confusable()` draws. */
export const confusionNotes: Readonly<Record<Confusion, ConfusionNote>> = {
  'same-name': {
    alike: 'one name in two scopes',
    trap: 'a cache, an index or a log that keys by the name alone',
  },
  'prefix-collision': {
    alike: 'one scope begins with the other: `acme`, `acme2`',
    trap: 'a scan or a rule by prefix, without a separator at its end',
  },
  'case-folding': {
    alike: 'they differ in upper and lower case only',
    trap: 'one layer folds case and the next does not: databases, file systems, host names',
  },
  'embedded-separator': {
    alike: 'joined by a separator they are one text: `a/b` + `c`, `a` + `b/c`',
    trap: 'keys built by joining parts that may hold the separator themselves',
  },
  'trailing-characters': {
    alike: 'one has white space, a control or an invisible character at its end',
    trap: 'a layer that trims, pads or ends at a zero byte',
  },
  'recycled-id': {
    alike: 'an id that is deleted and given out anew',
    trap: 'rights, caches and pending work that outlive what they were about',
  },
  'off-by-one': {
    alike: 'numbers side by side, where a range or page ends',
    trap: 'a bound taken as inside by one and as outside by the other',
  },
  'integer-overflow': {
    alike: 'numbers that are equal in fewer bits, or as a double',
    trap: 'ids that pass through 32 bits, or through JavaScript numbers above 2^53',
  },
  'unicode-normalisation': {
    alike: 'different characters that are equal once normalised',
    trap: 'a comparison before, and a key after, normalisation',
  },
}

/** A way to test a boundary that proves less than it seems. */
export interface ControlMistake {
  readonly id: string
  readonly mistake: string
  readonly why: string
  readonly instead: string
}

export const controlMistakes: readonly ControlMistake[] = [
  {
    id: 'positive-only',
    mistake: 'only what is allowed is tried',
    why: 'a system that allows everything passes',
    instead: 'a `control.negative()` for each surface and each kind of identifier',
  },
  {
    id: 'denial-unobserved',
    mistake: 'a refusal counts without a look at what it left behind',
    why: 'the answer may say no after the deed is done, and operators may never learn of the attempt',
    instead: '`observed`: the line of an audit log, a counter, the other side’s unchanged data',
  },
  {
    id: 'no-error-is-no-leak',
    mistake: '“no error” is taken for “no leak”',
    why: 'an empty answer, a timeout and a leak can all come without an error',
    instead: '`refused` says what a refusal looks like, and `prepare` puts there what must not be reached',
  },
  {
    id: 'async-path-skipped',
    mistake: 'only the direct answer is looked at',
    why: 'exports, notifications, replication and jobs run later, often with more rights',
    instead: 'wait for them, and look at what they delivered to whom',
  },
  {
    id: 'observability-path-skipped',
    mistake: 'logs, metrics, traces and error messages are left out',
    why: 'names and values of others leak there first, and nobody tests it',
    instead: 'search them for the other side’s identifiers after each control',
  },
]
