import { stat } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { spaceOf } from '../data-files.js'

/** A file system that is larger is not filled: it is hardly one node's own. */
const fillMaxBytes = 16 * 1024 ** 3

/** Why the file system under a data directory must not be filled; null when it is small and holds nothing of the machine. */
export async function notToBeFilled(dataDir: string): Promise<string | null> {
  const { dev } = await stat(dataDir)
  for (const shared of ['/', tmpdir(), homedir(), process.cwd()]) {
    const device = await stat(shared).then(
      (info) => info.dev,
      // A home that does not exist lies on nothing.
      () => null,
    )
    if (device === dev) return `its data lies on the file system of ${shared}, which the machine itself needs`
  }
  const { totalBytes } = await spaceOf(dataDir)
  return totalBytes > fillMaxBytes
    ? `the file system under its data has ${totalBytes} bytes: at most ${fillMaxBytes} are filled`
    : null
}
