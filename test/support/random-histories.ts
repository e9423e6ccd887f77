/**
 * On how many random histories an algorithm is held against its definition. `usual` a test when a person waits;
 * NEMESIS_RANDOM_HISTORIES in all, spread over the `tests` that share them, when CI does.
 */
export function randomHistories(usual: number, tests = 1): number {
  const inAll = process.env['NEMESIS_RANDOM_HISTORIES']
  return inAll === undefined ? usual : Math.ceil(Number(inAll) / tests)
}
