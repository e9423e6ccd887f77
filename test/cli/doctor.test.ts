import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { doctorCommand } from '../../src/cli/doctor.js'
import { temporaryDirectory } from '../support/temporary.js'
import { typed } from '../support/typed.js'

const sample = fileURLToPath(new URL('../fixtures/plans/orders.md', import.meta.url))

const doctor = (...args: string[]) => typed(doctorCommand(), 'doctor', ...args)

test('lists what a plan needs of this machine, and nothing else', async () => {
  const { code, text } = await doctor('--plan', sample, '--json')
  expect(code).toBe(0)
  const { plan, needs } = JSON.parse(text) as { plan: string; needs: { what: string; scenarios: string[] }[] }
  expect(plan).toBe(sample)
  expect(needs.map(({ what }) => what)).toEqual([
    'Docker Engine',
    'fault asymmetric-partition',
    'fault kill',
    'fault pause',
    'fault restart',
  ])
  expect(needs[0]?.scenarios).toEqual(['S1', 'S2', 'S3'])
})

test('says which scenarios a missing item blocks, and how to get it', async () => {
  const file = join(await temporaryDirectory(), 'plan.md')
  await writeFile(
    file,
    '# Plan\n\n## 6b. Environment requirements\n\n| Requirement | Version floor | Scenarios | Install hint |\n| - | - | - | - |\n| Node.js | 999 | S1, S4 | wait |\n| A rig | none | S2 | ask |\n',
  )
  const { code, text } = await doctor('--plan', file)
  expect(code).toBe(0)
  expect(text).toMatch(/missing.*Node\.js {2}v\d.*asks for 999 or later\n +blocks: S1, S4\n +get it: wait\n/)
  expect(text).toMatch(/unknown.*A rig +cannot be probed: look yourself\n +blocks: S2\n +get it: ask\n/)
})

test('a plan that names nothing needs nothing; one that is not there is refused', async () => {
  const file = join(await temporaryDirectory(), 'plan.md')
  await writeFile(file, '# Plan\n')
  expect(await doctor('--plan', file)).toMatchObject({
    code: 0,
    text: 'the plan names nothing that it needs: section 6b and the faults are open\n',
  })
  const { code, errors } = await doctor('--plan', `${file}x`)
  expect(code).toBe(2)
  expect(errors).toContain('no such file')
})
