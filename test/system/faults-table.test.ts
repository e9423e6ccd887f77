import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { faults } from '../../src/nemesis/faults/index.js'
import { requires } from '../support/requirements.js'

const script = fileURLToPath(new URL('../../scripts/faults.mjs', import.meta.url))

interface Row {
  readonly fault: string
  readonly mechanism: string
  readonly exercised: boolean
  readonly evidence: string | null
  readonly reason: string | null
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
)('the table of faults', () => {
  it(
    'is exercised for real, every fault by at least one mechanism',
    { timeout: 3_000_000 },
    async ({ annotate }) => {
      const { stdout, stderr } = await execa(process.execPath, [script, '--json'], {
        reject: false,
        timeout: 2_900_000,
      })
      const rows = stdout.split('\n').map((line) => JSON.parse(line) as Row)
      await annotate(stderr.split('\n').at(-1) ?? '')
      for (const { fault, mechanism, exercised, evidence, reason } of rows) {
        const told = exercised ? evidence : reason
        expect(told, `${fault} by ${mechanism}`).toMatch(/\S/)
        if (!exercised) await annotate(`${fault} by ${mechanism}: ${reason}`)
      }
      const exercised = rows.filter((row) => row.exercised)
      expect([...new Set(exercised.map(({ fault }) => fault))].toSorted()).toEqual(
        Object.keys(faults).toSorted(),
      )
      expect(Object.keys(faults)).toHaveLength(27)
      expect(exercised.length).toBeGreaterThanOrEqual(40)
    },
  )
})
