import { join } from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { root, textOf } from '../repo/sources.js'
import { blocksOf, documents } from './blocks.js'

const main = join(root, 'dist/src/cli/main.js')
const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> }

/** Code that a reader may type: blocks without a language or for the shell, and code spans. */
const typed = documents.flatMap((document) => [
  ...blocksOf(document)
    .filter(({ language }) => ['', 'sh', 'yaml'].includes(language))
    .flatMap(({ text }) => text.split('\n')),
  ...[...textOf(document).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? ''),
])

async function help(...args: string[]): Promise<string> {
  const { stdout } = await execa('node', [main, ...args, '--help'], { timeout: 60_000 })
  return stdout
}

describe('commands in the documents', () => {
  it('are commands of nemesis with options that it knows', { timeout: 120_000 }, async () => {
    const used = typed
      .map((line) => /^(?:- run: )?(?:npx )?nemesis ((?:plan |skills )?[a-z]+)\b([^#]*)/.exec(line))
      .filter((match) => match !== null)
    expect(used.length).toBeGreaterThan(10)
    const listed = await help()
    for (const name of new Set(used.map((match) => match[1] ?? ''))) {
      const [command = '', ...below] = name.split(' ')
      expect(listed).toMatch(new RegExp(`^  ${command}\\b`, 'm'))
      const options = await help(command, ...below)
      const given = used
        .filter((match) => match[1] === name)
        .flatMap((match) => match[2]?.match(/--[a-z-]+/g))
      for (const option of given) if (option) expect(options).toContain(option)
    }
  })

  it('name every command of nemesis in the README', async () => {
    const listed = [...(await help()).matchAll(/^ {2}([a-z]+) /gm)].map((match) => match[1] ?? '')
    expect(listed.length).toBeGreaterThan(5)
    const usage = blocksOf('README.md').find(({ text }) => text.startsWith('nemesis init'))?.text ?? ''
    for (const name of listed.filter((one) => one !== 'help')) expect(usage).toContain(`nemesis ${name}`)
  })

  it('are scripts of this package where they say npm', () => {
    const setUp = blocksOf('README.md').find(({ text }) => text.includes('npm ci &&'))
    expect(setUp?.text).toBe('npm ci && npm run demo\nnpm ci && npm test\n')
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['demo', 'test']))
  })

  it('use environment variables that are read', () => {
    const variables = new Set(typed.flatMap((line) => line.match(/\bNEMESIS_[A-Z_]+/g) ?? []))
    expect([...variables].toSorted()).toEqual(['NEMESIS_STATE_DIR', 'NEMESIS_TIER'])
  })
})

describe('what the README says of versions', () => {
  it('is what the package asks for', () => {
    const { engines, peerDependencies, license } = JSON.parse(textOf('package.json')) as {
      engines: { node: string }
      peerDependencies: { vitest: string }
      license: string
    }
    expect(engines.node).toBe('>=20')
    expect(peerDependencies.vitest).toBe('^4.1.0 || ^5.0.0')
    expect(license).toBe('MIT')
    expect(textOf('README.md')).toContain('Node 20 or later; Vitest 4.1 or 5')
    expect(textOf('README.md')).toContain('[MIT](LICENSE)')
  })
})
