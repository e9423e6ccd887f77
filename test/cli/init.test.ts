import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { init } from '../../src/cli/init.js'
import { temporaryDirectory } from '../support/temporary.js'

it('writes a config and an example into an empty project', async () => {
  const project = await temporaryDirectory()
  const lines = await init(project)
  expect(lines).toEqual([
    'wrote    vitest.config.mts',
    'wrote    nemesis/register-server.mjs',
    'wrote    nemesis/register.scenario.ts',
    'next: npx vitest run nemesis',
  ])
  expect((await readdir(join(project, 'nemesis'))).toSorted()).toEqual([
    'register-server.mjs',
    'register.scenario.ts',
  ])
  expect(await readFile(join(project, 'vitest.config.mts'), 'utf8')).toContain('plugins: [nemesis()]')
})

it('names the config .ts where the package is a module, so that it needs no other name', async () => {
  const project = await temporaryDirectory()
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  expect(await init(project)).toContain('wrote    vitest.config.ts')
})

it('never overwrites, and says what it kept', async () => {
  const project = await temporaryDirectory()
  await init(project)
  const scenario = join(project, 'nemesis', 'register.scenario.ts')
  await writeFile(scenario, '// mine\n')
  expect(await init(project)).toEqual([
    'kept     vitest.config.mts: it has the plugin already',
    'kept     nemesis/register-server.mjs: it is there already',
    'kept     nemesis/register.scenario.ts: it is there already',
    'next: npx vitest run nemesis',
  ])
  expect(await readFile(scenario, 'utf8')).toBe('// mine\n')
})

it('adds the plugin to the config that is there', async () => {
  const project = await temporaryDirectory()
  const config = join(project, 'vite.config.mts')
  await writeFile(
    config,
    "import { defineConfig } from 'vite'\n\nexport default defineConfig({\n  base: '/',\n})\n",
  )
  expect((await init(project))[0]).toBe('changed  vite.config.mts: added the plugin')
  expect(await readFile(config, 'utf8')).toContain("  plugins: [nemesis()],\n  base: '/',")
})

it('leaves a config that it does not understand alone, and prints the two lines', async () => {
  const project = await temporaryDirectory()
  const text = 'export default async () => ({ plugins: await found() })\n'
  await writeFile(join(project, 'vitest.config.js'), text)
  const lines = await init(project)
  expect(lines[0]).toMatch(/^kept {5}vitest\.config\.js: .*; add these two lines to it:$/)
  expect(lines.slice(1, 3).map((line) => line.trim())).toEqual([
    "import { nemesis } from 'vitest-nemesis/plugin'",
    'plugins: [nemesis()],',
  ])
  expect(await readFile(join(project, 'vitest.config.js'), 'utf8')).toBe(text)
})
