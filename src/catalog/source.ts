/** A program that helps with a technique. */
export interface Tool {
  readonly name: string
  readonly url: string
  /** What it is for, in one line. */
  readonly what: string
}

/** A publication that a technique rests on. */
export interface Paper {
  readonly authors: string
  readonly title: string
  readonly venue: string
  readonly year: number
  /** A DOI as `https://doi.org/…`, or the publisher's page. */
  readonly url: string
}

/** Where something went wrong in public: a report, an issue, an analysis. */
export interface Sighting {
  /** What was seen, in our words. */
  readonly what: string
  readonly url: string
}
