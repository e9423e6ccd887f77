/** Undoes everything, the last step first and whatever fails on the way, and then throws the first failure. */
export async function undoAll(undos: (() => Promise<void>)[]): Promise<void> {
  const failures: unknown[] = []
  for (const undo of undos.splice(0).toReversed())
    await undo().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
