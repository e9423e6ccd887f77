import { readdir } from 'node:fs/promises'

/** Every fault, in the order in which they are told of. */
export const taxonomy = [
  ...['kill', 'stop', 'pause', 'restart'],
  ...['partition', 'asymmetric-partition', 'packet-loss', 'latency', 'bandwidth'],
  ...[
    'disk-full',
    'power-loss',
    'slow-disk',
    'bit-flip',
    'fsync-failure',
    'corruption',
    'backup-restore-race',
  ],
  ...['clock-skew', 'clock-rate'],
  ...['rolling-restart', 'split-brain', 'slow-follower', 'mixed-version', 'rolling-upgrade'],
  ...['config-divergence', 'credential-divergence', 'compaction', 'reconfiguration'],
]

/** What the files of `faults/` exercise, `{ fault, mechanism, run }`, in the order of the taxonomy. */
export async function faultRows() {
  const here = new URL('faults/', import.meta.url)
  const files = (await readdir(here)).filter((file) => file.endsWith('.mjs') && file !== 'harness.mjs')
  const modules = await Promise.all(files.toSorted().map((file) => import(new URL(file, here))))
  const all = modules.flatMap((one) => one.default ?? [])
  return taxonomy.flatMap((fault) => all.filter((row) => row.fault === fault))
}
