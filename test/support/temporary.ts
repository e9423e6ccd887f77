import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory of the running test's own, removed when the test is over. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'nemesis-test-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}
