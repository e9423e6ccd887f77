/**
 * Waits until every promise is settled, then gives the values or throws the first failure: unlike `Promise.all`,
 * nothing is still being made when the clean-up begins.
 */
export async function allOf<T>(promises: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(promises)
  return Promise.all(promises)
}
