import { takeBack } from './take-back.js'

/**
 * Does the same to every item at once, and resolves to what came of each. When one fails, `undo` takes back what was done
 * to the others, and the first failure is thrown.
 */
export async function allOrNone<Item, Done>(
  items: readonly Item[],
  act: (item: Item, index: number) => Promise<Done>,
  undo: (done: readonly Done[]) => Promise<unknown>,
): Promise<readonly Done[]> {
  const results = await Promise.allSettled(items.map(act))
  const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const failure = results.find((result) => result.status === 'rejected')
  return failure === undefined ? done : takeBack(failure.reason, () => undo(done))
}
