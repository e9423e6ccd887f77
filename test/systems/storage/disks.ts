import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Disturbance, StorageRule } from '../../../src/systems/capabilities.js'
import { disksFor } from '../../../src/systems/storage/disks.js'
import type { NodePlace, StorageMechanism } from '../../../src/systems/storage/mechanism.js'
import { temporaryDirectory } from '../../support/temporary.js'
import { MemoryJournal } from '../running.js'

/** A disk without a node. */
export interface TestDisk {
  readonly directory: string
  readonly journal: MemoryJournal
  disturb(disturbance: Disturbance): Promise<StorageRule>
  losePower(): Promise<{ readonly mechanism: string; readonly lost: number | null }>
  close(): Promise<void>
}

/** Mounts one; unmounted when the test is over. */
export async function mountDisk(kind: 'fuse' | 'loop'): Promise<TestDisk> {
  const journal = new MemoryJournal()
  const disks = await disksFor(kind, { run: `test-disk-${process.pid}`, journal })
  const directory = join(await temporaryDirectory(), 'data')
  await mkdir(directory)
  onTestFinished(() => disks.close())
  await disks.attach('n1', directory)
  const place: NodePlace = {
    name: 'n1',
    pid: async () => null,
    dataDir: directory,
    ownDataDir: directory,
  }
  const mechanism = disks.mechanism as StorageMechanism
  return {
    directory,
    journal,
    disturb: (disturbance) => mechanism.disturb(place, disturbance),
    losePower: () =>
      (mechanism.losePower as NonNullable<StorageMechanism['losePower']>)(place, async () => {}),
    close: () => disks.close(),
  }
}
