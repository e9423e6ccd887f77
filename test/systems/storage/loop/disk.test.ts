import { readFile, readdir, open, appendFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { requires } from '../../../support/requirements.js'
import { mountDisk } from '../disks.js'

requires(
  'linux',
  'root',
  'ext4',
)('ext4 on a loop device', () => {
  it('is empty, loses at a power loss what was not synced, and works again', async () => {
    const { directory, losePower } = await mountDisk('loop')
    expect(await readdir(directory)).toEqual([])
    const path = join(directory, 'f')
    await writeFile(path, 'synced')
    await synced(path)
    await appendFile(path, ' not')
    await writeFile(join(directory, 'g'), 'never')
    const { lost, mechanism } = await losePower()
    expect(lost).toBe(9)
    expect(mechanism).toContain('shut down without a flush')
    expect(await readdir(directory)).toEqual(['f'])
    expect(await readFile(path, 'utf8')).toBe('synced')
    await writeFile(join(directory, 'g'), 'again')
    expect(await losePower()).toMatchObject({ lost: 5 })
  })

  it('makes nothing else, and says what does', async () => {
    const { disturb } = await mountDisk('loop')
    await expect(disturb({ kind: 'flip', on: 'read', every: 1 })).rejects.toThrow("disk: 'fuse'")
  })

  it('leaves neither mount nor loop device', async () => {
    const { directory, close, journal } = await mountDisk('loop')
    const image = await imageOf(directory)
    expect(await backingFiles()).toContain(image)
    await close()
    await close()
    expect(journal.open_.size).toBe(0)
    expect(await readFile('/proc/self/mountinfo', 'utf8')).not.toContain(directory)
    expect(await backingFiles()).not.toContain(image)
  })
})

async function synced(path: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The file behind what is mounted on a directory. */
async function imageOf(directory: string): Promise<string> {
  const line = (await readFile('/proc/self/mountinfo', 'utf8'))
    .split('\n')
    .find((candidate) => candidate.split(' ')[4] === directory)
  const device = /\/dev\/(loop\d+)/.exec(line ?? '')?.[1]
  return (await readFile(`/sys/block/${device}/loop/backing_file`, 'utf8')).trim()
}

async function backingFiles(): Promise<readonly string[]> {
  const devices = (await readdir('/sys/block')).filter((name) => name.startsWith('loop'))
  const files = await Promise.all(
    devices.map((device) =>
      // One without content has no such file.
      readFile(`/sys/block/${device}/loop/backing_file`, 'utf8').catch(() => ''),
    ),
  )
  return files.map((file) => file.trim())
}
