/** Where something stands in a plan document. Both count from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Text of a plan, as a reader sees it, with the place where it begins. */
export interface Text {
  readonly text: string
  readonly at: Position
}

/** A reference to a claim, hypothesis or scenario by its id. */
export interface Reference {
  readonly id: string
  readonly at: Position
}
