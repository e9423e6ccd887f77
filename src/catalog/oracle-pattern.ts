import { catalog } from '../checkers/catalog.js'

/** A way to decide, from what was recorded, whether a claim was kept. */
export interface OraclePattern {
  /** 1 to 14, as checkers name it in `pattern`. */
  readonly number: number
  readonly title: string
  /** How it decides. */
  readonly decides: string
  /** What it cannot do without. */
  readonly needs: string
  /** What it says nothing about. */
  readonly misses: string
}

/** A checker of this package by its name and the function that makes it. */
export interface CheckerName {
  readonly name: string
  readonly factory: string
}

/** Every checker; `invariant`, which has a name for each of its uses, goes by that word. */
export const checkerNames: readonly (CheckerName & { readonly pattern: number })[] = catalog.map(
  ({ factory, example }) => {
    const { name, pattern } = example()
    return { name: name.split(':')[0] ?? name, factory, pattern }
  },
)

/** The checkers that implement a pattern. */
export function checkersOf({ number }: OraclePattern): readonly CheckerName[] {
  return checkerNames.filter(({ pattern }) => pattern === number)
}
