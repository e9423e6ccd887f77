import { existsSync } from 'node:fs'
import { copyFile, constants, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Command } from 'commander'
import { addPlugin } from './init/add-plugin.js'
import { ownFile } from '../environment/own-package.js'

const configNames = ['vitest.config', 'vite.config'].flatMap((name) =>
  ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs'].map((extension) => `${name}.${extension}`),
)

/** What is copied: from the package's `templates/`, to the project. */
const examples = ['nemesis/register-server.mjs', 'nemesis/register.scenario.ts'] as const

/** `nemesis init`: a Vitest config with the plugin and a first scenario that runs at once. Never overwrites. */
export function initCommand(): Command {
  return new Command('init')
    .description(
      'write a Vitest config (or add the plugin to it) and a first runnable example; never overwrites',
    )
    .action(async () => {
      const lines = await init(process.cwd())
      process.stdout.write(lines.map((line) => `${line}\n`).join(''))
    })
}

/** Sets a project up and resolves to what was done and what is left to do, a line each. */
export async function init(project: string): Promise<string[]> {
  const lines = await configure(project)
  for (const example of examples) {
    const target = join(project, example)
    await mkdir(dirname(target), { recursive: true })
    lines.push(await copyNew(ownFile(join('templates', example)), target, example))
  }
  return [...lines, 'next: npx vitest run nemesis']
}

async function configure(project: string): Promise<string[]> {
  const name = configNames.find((candidate) => existsSync(join(project, candidate)))
  if (name === undefined) {
    // In a CommonJS package only the .mts name makes the config a module.
    const config = (await isModulePackage(project)) ? 'vitest.config.ts' : 'vitest.config.mts'
    return [await copyNew(ownFile('templates/vitest.config.ts'), join(project, config), config)]
  }
  const file = join(project, name)
  const change = addPlugin(await readFile(file, 'utf8'))
  switch (change.kind) {
    case 'present':
      return [`kept     ${name}: it has the plugin already`]
    case 'added':
      await writeFile(file, change.text)
      return [`changed  ${name}: added the plugin`]
    case 'by-hand':
      return [
        `kept     ${name}: ${change.reason}; add these two lines to it:`,
        ...change.lines.map((line) => `           ${line}`),
      ]
  }
}

async function copyNew(source: string, target: string, name: string): Promise<string> {
  try {
    await copyFile(source, target, constants.COPYFILE_EXCL)
    return `wrote    ${name}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return `kept     ${name}: it is there already`
  }
}

async function isModulePackage(project: string): Promise<boolean> {
  const file = join(project, 'package.json')
  if (!existsSync(file)) return false
  try {
    return (JSON.parse(await readFile(file, 'utf8')) as { type?: unknown }).type === 'module'
  } catch {
    // A package.json that cannot be read is npm's to complain about; the .mts name works with any.
    return false
  }
}
