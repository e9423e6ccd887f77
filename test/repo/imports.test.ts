import { posix } from 'node:path'
import { expect, it } from 'vitest'
import { filesBelow, textOf } from './sources.js'

/**
 * Which folders of `src/` may use which. What only types need is erased when the package is built, so that `import type`
 * is free within `src/`; the rest points one way. Files directly in `src/` may be used by all, and use none.
 */
const basics = ['time', 'random', 'history', 'claim']
const arrows: Readonly<Record<string, readonly string[]>> = {
  '': [],
  time: [],
  random: [],
  claim: [],
  history: [],
  verdict: ['time'],
  boundary: ['verdict'],
  models: basics,
  checkers: [...basics, 'models'],
  properties: [...basics, 'checkers'],
  sensitivity: [...basics, 'models', 'checkers'],
  generators: [...basics, 'models', 'sensitivity'],
  systems: basics,
  nemesis: [...basics, 'systems'],
  workload: [...basics, 'properties'],
  session: [...basics, 'checkers', 'properties', 'sensitivity', 'systems', 'nemesis', 'verdict', 'boundary'],
  plan: [...basics, 'models', 'checkers', 'nemesis', 'verdict', 'session', 'catalog', 'environment'],
  findings: [
    ...basics,
    'models',
    'checkers',
    'properties',
    'sensitivity',
    'generators',
    'systems',
    'nemesis',
    'verdict',
    'session',
    'plan',
  ],
  scenario: [
    ...basics,
    'models',
    'checkers',
    'properties',
    'sensitivity',
    'systems',
    'nemesis',
    'workload',
    'verdict',
    'boundary',
    'session',
    'findings',
    'environment',
  ],
  environment: ['systems'],
  catalog: [...basics, 'models', 'checkers', 'nemesis', 'boundary'],
  skills: ['session', 'environment'],
  cli: [
    ...basics,
    'models',
    'checkers',
    'sensitivity',
    'nemesis',
    'session',
    'findings',
    'verdict',
    'environment',
    'scenario',
    'plan',
    'catalog',
    'skills',
  ],
}

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const statement =
  /^(?:import|export)\s+(type\s)?(?:[^'"`;()]*?\sfrom\s+)?'([^'\n]+)'|\bimport\('([^'\n]+)'\)/gm

function importsOf(file: string): Import[] {
  return [...textOf(file).matchAll(statement)].map(([, type, fixed, dynamic]) => ({
    from: file,
    to: resolved(file, fixed ?? dynamic ?? ''),
    typeOnly: type !== undefined,
  }))
}

function resolved(file: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier
}

function folderOf(path: string): string {
  const parts = path.split('/')
  return parts.length > 2 ? (parts[1] ?? '') : ''
}

const show = ({ from, to }: Import) => `${from} -> ${to}`
const imports = filesBelow('src').flatMap(importsOf)

it('finds the imports', () => {
  const known = imports.map(show)
  expect(known).toContain('src/cli/main.ts -> src/cli/run.js')
  expect(known).toContain('src/session/record.ts -> src/verdict/verdict.js')
  expect(known).toContain('src/json.ts -> zod')
})

it('src/ knows no test framework, plugin or reporter, not even their types', () => {
  const outside = /^(plugin|reporters|test|examples)\/|^(vitest|jest|@vitest|@jest|vite)(\/|$)/
  expect(imports.filter(({ to }) => outside.test(to)).map(show)).toEqual([])
})

it('every folder of src/ has its place', () => {
  expect(Object.keys(arrows)).toEqual(
    expect.arrayContaining([...new Set(imports.map(({ from }) => folderOf(from)))]),
  )
})

it('arrows point one way', () => {
  const wrong = imports.filter(({ from, to, typeOnly }) => {
    if (typeOnly || !to.startsWith('src/')) return false
    const [user, used] = [folderOf(from), folderOf(to)]
    return used !== '' && used !== user && !arrows[user]?.includes(used)
  })
  expect(wrong.map(show)).toEqual([])
})

it('relative imports name the built file', () => {
  const all = filesBelow('src', 'plugin', 'reporters').flatMap(importsOf)
  const local = all.filter(({ to }) => /^(src|plugin|reporters)\//.test(to))
  expect(local.filter(({ to }) => !to.endsWith('.js')).map(show)).toEqual([])
})
