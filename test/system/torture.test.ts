import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { requires } from '../support/requirements.js'

const script = fileURLToPath(new URL('../../scripts/torture.mjs', import.meta.url))
const runs = 15

interface Summary {
  readonly runs: number
  readonly families: Readonly<Record<string, number>>
  readonly phases: Readonly<Record<string, number>>
  readonly heal: { readonly runs: number }
  readonly leftByGuardian: number
  readonly left: number
}

requires(
  'docker',
  'root',
  'linux',
  'nft',
  'busybox',
  'redis',
  'etcd',
  'strace',
  'fuse',
  'ext4',
  'cc',
)('what is left of runs that are ended by SIGKILL while they disturb a system', () => {
  it(
    `is nothing after ${runs} of them, of all families of faults, some without their guardian`,
    { timeout: 1_800_000 },
    async ({ annotate }) => {
      const { stdout, stderr } = await execa(
        process.execPath,
        [script, '--runs', String(runs), '--seed', '5', '--json'],
        { reject: false, timeout: 1_780_000 },
      )
      const summary = JSON.parse(stdout.split('\n').at(-1) || JSON.stringify({ stderr })) as Summary
      await annotate(JSON.stringify(summary))
      expect(summary, `${stdout}\n${stderr}`).toMatchObject({ runs, leftByGuardian: 0, left: 0 })
      expect(Object.keys(summary.families).toSorted()).toEqual([
        'cluster',
        'network',
        'process',
        'storage',
        'time',
      ])
      expect(Object.keys(summary.phases).length).toBeGreaterThanOrEqual(3)
      expect(summary.heal.runs).toBeGreaterThanOrEqual(1)
    },
  )
})
