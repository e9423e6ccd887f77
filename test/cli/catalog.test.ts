import { expect, onTestFinished, test, vi } from 'vitest'
import { confusions } from '../../src/boundary/confusable/confusion.js'
import { techniqueIds } from '../../src/catalog/technique.js'
import { catalog } from '../../src/checkers/catalog.js'
import * as checkers from '../../src/checkers/index.js'
import { choices } from '../../src/checkers/picker.js'
import { catalogCommand } from '../../src/cli/catalog.js'
import { run } from '../../src/cli/run.js'
import { faults } from '../../src/nemesis/faults/index.js'

async function printed(...args: string[]): Promise<string> {
  let text = ''
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    text += String(chunk)
    return true
  })
  onTestFinished(() => write.mockRestore())
  expect(await run([catalogCommand()], ['catalog', ...args])).toBe(0)
  write.mockRestore()
  return text
}

test('lists every checker with what it cannot detect, and the picker', async () => {
  const text = await printed('checkers')
  for (const { factory, example } of catalog) {
    expect(text).toContain(`${factory}()`)
    for (const what of example().scope) expect(text).toContain(`cannot detect ${what}`)
  }
  expect(text).toContain('register')
  const data = JSON.parse(await printed('checkers', '--json')) as {
    picker: { models: unknown; checkers: Record<string, string[]> }[]
    checkers: { factory: string }[]
  }
  expect(data.picker.map(({ models }) => models)).toEqual(choices.map(({ models }) => models))
  const picked = data.picker.flatMap(({ checkers: fitting }) => Object.values(fitting).flat())
  const names = catalog.map(({ example }) => example().name.split(':')[0])
  expect(picked.filter((name) => !names.includes(name))).toEqual([])
  expect(new Set(picked)).toContain('reconciliation')
  expect(data.checkers.map(({ factory }) => factory)).toEqual(catalog.map(({ factory }) => factory))
})

test('has every checker that the package exports, and each makes what it says', () => {
  const exported = Object.keys(checkers).filter((name) => !['checkersFor', 'OnlineRegister'].includes(name))
  expect(catalog.map(({ factory }) => factory).toSorted()).toEqual(exported.toSorted())
  const names = catalog.map(({ example }) => example().name)
  expect(new Set(names).size).toBe(names.length)
  for (const { example } of catalog) {
    const { scope, pattern } = example()
    expect(scope.length).toBeGreaterThan(0)
    expect(pattern).toBeGreaterThan(0)
    expect(pattern).toBeLessThan(15)
  }
})

test('gives an overview without a topic', async () => {
  const text = await printed()
  for (const id of techniqueIds) expect(text).toContain(id)
  expect(text).toContain('From a symptom to a technique')
  expect(text).not.toMatch(/\]\((?!https?:)/)
  const data = JSON.parse(await printed('--json')) as {
    topics: string[]
    techniques: { id: string }[]
    pitfalls: { id: string }[]
  }
  expect(data.topics).toEqual(['techniques', 'pitfalls', 'oracles', 'faults', 'checkers', 'boundaries'])
  expect(data.techniques.map(({ id }) => id)).toEqual([...techniqueIds])
  expect(data.pitfalls).toHaveLength(16)
})

test.each([
  ['techniques', 'crash-recovery-and-upgrade', 8],
  ['pitfalls', 'Rights and quotas that differ between nodes', 16],
  ['oracles', 'No acknowledged write is lost', 14],
  ['faults', 'backup-restore-race', Object.keys(faults).length],
] as const)('lists %s as text and as data', async (topic, shown, count) => {
  expect(await printed(topic)).toContain(shown)
  expect(JSON.parse(await printed(topic, '--json'))).toHaveLength(count)
})

test('lists boundaries', async () => {
  expect(await printed('boundaries')).toContain('unicode-normalisation')
  const data = JSON.parse(await printed('boundaries', '--json')) as { confusable: object }
  expect(Object.keys(data.confusable)).toEqual([...confusions])
})

test('prints a technique or a pitfall by its id', async () => {
  expect(await printed('fuzzing')).toContain('## What it misses')
  expect(JSON.parse(await printed('fuzzing', '--json'))).toMatchObject({ id: 'fuzzing' })
  expect(await printed('id-collision')).toContain('`unique-ids`')
  expect(JSON.parse(await printed('id-collision', '--json'))).toMatchObject({ id: 'id-collision' })
})

test('finds rows of the index by the words of a symptom, in one argument or several', async () => {
  const text = await printed('stale', 'read', 'after', 'failover')
  expect(text).toContain('pitfall stale-follower-read')
  expect(text).toContain('checkers linearizable')
  expect(await printed('stale read after failover')).toBe(text)
  const rows = JSON.parse(await printed('stale read after failover', '--json')) as unknown[]
  expect(rows[0]).toMatchObject({ techniques: ['jepsen-and-elle', 'deterministic-simulation'] })
})

test('a topic that there is not gets the list of those that there are', async () => {
  const lines: string[] = []
  expect(await run([catalogCommand()], ['catalog', 'weather'], (text) => lines.push(text))).toBe(2)
  expect(lines.join('')).toContain('techniques, pitfalls, oracles, faults, checkers, boundaries')
})
