import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { rootOf } from '../../src/cli/replay/root.js'
import { temporaryDirectory } from '../support/temporary.js'

it('finds the root of the project that a session belongs to', async () => {
  const project = join(await temporaryDirectory(), 'shop')
  const session = join(project, 'test-sessions/shop/2026')
  await mkdir(session, { recursive: true })
  await mkdir(join(project, 'nemesis'))
  await writeFile(join(project, 'nemesis/orders.scenario.ts'), '')
  expect(rootOf(session, 'nemesis/orders.scenario.ts')).toBe(project)
  expect(rootOf(session, 'nemesis/gone.scenario.ts')).toBeNull()
})
