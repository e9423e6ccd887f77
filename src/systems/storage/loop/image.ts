import { open, readdir, readFile, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FaultError } from '../../../errors.js'
import { sleep } from '../../../time/sleep.js'
import { command } from './command.js'

/** Sparse: it takes up no more than what is written. More than the filler takes for a disk that is meant to be filled. */
const imageBytes = 2 * 1024 ** 3
const freedWithinMs = 15_000

/** A file with an ext4 in it, and where that is mounted. */
export interface Ext4Disk {
  readonly image: string
  readonly mountpoint: string
  /** By whose mark the programs are known that mount it. */
  readonly run: string
}

/**
 * Makes a file with an empty ext4 in it. Nothing of it is left to be done later, and no lost+found is in the way of
 * servers that want an empty directory.
 */
export async function makeImage({ image, mountpoint, run }: Ext4Disk): Promise<void> {
  const file = await open(image, 'wx', 0o600)
  try {
    await file.truncate(imageBytes)
  } finally {
    await file.close()
  }
  const plain = ['-q', '-F', '-m', '0', '-N', '65536', '-J', 'size=16', '-E', 'lazy_itable_init=0,nodiscard']
  await command('mkfs.ext4', [...plain, image], { run })
  await mountImage({ image, mountpoint, run })
  await rmdir(join(mountpoint, 'lost+found'))
}

/**
 * Mounts it by a loop device that ends with the mount. The journal is committed when something is synced, not every
 * five seconds.
 */
export async function mountImage({ image, mountpoint, run }: Ext4Disk): Promise<void> {
  await command('mount', ['-t', 'ext4', '-o', 'loop,commit=600,nosuid,nodev', image, mountpoint], { run })
}

/** Makes owner, mode and entries of the directory itself last. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Unmounts it and waits until no loop device holds it: before that a new mount would meet the old file system. */
export async function unmountImage({ image, mountpoint }: Ext4Disk): Promise<void> {
  const deadline = performance.now() + freedWithinMs
  let said = ''
  let mounted = true
  for (;;) {
    if (mounted) {
      try {
        await command('umount', [mountpoint])
        mounted = false
      } catch (error) {
        // The last process is just ending.
        said = String(error)
      }
    }
    if (!mounted && (await deviceOf(image)) === null) return
    if (performance.now() > deadline) {
      throw new FaultError(
        'unmount',
        `${mountpoint} is still in use ${freedWithinMs / 1_000} s after its node has ended: ${said || `${await deviceOf(image)} holds ${image}`}`,
        { hint: `see \`fuser -vm ${mountpoint}\`` },
      )
    }
    await sleep(20)
  }
}

/** The loop device whose content is the file, such as `loop0`; null when there is none. */
export async function deviceOf(image: string): Promise<string | null> {
  for (const device of await readdir('/sys/block')) {
    if (!device.startsWith('loop')) continue
    try {
      const backing = await readFile(`/sys/block/${device}/loop/backing_file`, 'utf8')
      if (backing.trim().replace(/ \(deleted\)$/, '') === image) return device
    } catch {
      // A loop device without content.
    }
  }
  return null
}
