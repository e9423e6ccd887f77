import { stat, statfs } from 'node:fs/promises'
import type { DiskReading } from './reading.js'

export interface Disk {
  readonly name: string
  readonly path: string
}

/** The disk of a node that is made of files, which faults may hold up: it is the run's, not the machine's. */
const fuse = 0x65_73_55_46

/**
 * Of the directories those that lie on file systems of their own, the first of each. What is not there, and disks that
 * the run itself provides, are left out.
 */
export async function distinctDisks(directories: readonly Disk[]): Promise<Disk[]> {
  const byDevice = new Map<number, Disk>()
  for (const disk of directories) {
    try {
      const { dev } = await stat(disk.path)
      const { type } = await statfs(disk.path)
      if (type !== fuse && !byDevice.has(dev)) byDevice.set(dev, disk)
    } catch {
      // A directory that cannot be looked at cannot be watched; the caller sees that it is missing.
    }
  }
  return [...byDevice.values()]
}

/** Null when the directory is gone, as those of nodes are at the end of a run. */
export async function readDisk({ name, path }: Disk): Promise<DiskReading | null> {
  try {
    const { bsize, bavail, blocks, files, ffree } = await statfs(path)
    return {
      name,
      freeBytes: bavail * bsize,
      totalBytes: blocks * bsize,
      // A file system that makes room for files as it needs counts none.
      filesUsedUp: files > 0 && ffree === 0,
    }
  } catch {
    // Not a fact about the disk.
    return null
  }
}
