import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../support/temporary.js'

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))

it('a replay says that there is no Vitest where there is none', { timeout: 60_000 }, async () => {
  const project = await temporaryDirectory()
  await mkdir(join(project, 'nothing'))
  await writeFile(join(project, 'a.scenario.ts'), '')
  const reproducer = {
    reproducer: 1,
    scenario: { id: 'S1', name: 'holds', location: 'a.scenario.ts:1' },
    system: 'store',
    seed: 7,
    violation: { checker: 'linearizable', types: [], explanation: '' },
    tries: 1,
    faults: [],
    load: { kind: 'body', leftOut: [] },
  }
  await writeFile(join(project, 'reproducer.json'), JSON.stringify(reproducer))
  const { exitCode, stderr } = await execa(process.execPath, [main, 'replay', 'reproducer.json'], {
    ...{ cwd: project, reject: false, timeout: 50_000, extendEnv: false },
    env: { PATH: join(project, 'nothing') },
  })
  expect(stderr).toMatch(/^nemesis: there is no command 'vitest' in .* -> go to the project/)
  expect(exitCode).toBe(2)
})
