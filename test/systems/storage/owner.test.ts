import { chmod, chown, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requires } from '../../support/requirements.js'
import { mountDisk } from './disks.js'

requires(
  'linux',
  'root',
  'fuse',
  'ext4',
)('a power loss before the first sync', () => {
  it.each(['fuse', 'loop'] as const)('leaves the data directory to its owner on a %s disk', async (kind) => {
    const { directory, losePower } = await mountDisk(kind)
    await chown(directory, 1234, 1235)
    await chmod(directory, 0o700)
    await writeFile(join(directory, 'f'), 'x')
    expect(await losePower()).toMatchObject({ lost: 1 })
    expect(await stat(directory)).toMatchObject({ uid: 1234, gid: 1235, mode: 0o040700 })
  })
})
