import { expect, onTestFinished, test, vi } from 'vitest'
import { catalog } from '../../src/checkers/catalog.js'
import * as checkers from '../../src/checkers/index.js'
import { choices } from '../../src/checkers/picker.js'
import { catalogCommand } from '../../src/cli/catalog.js'
import { run } from '../../src/cli/run.js'

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
  const data = JSON.parse(await printed('--json')) as { picker: unknown; checkers: { factory: string }[] }
  expect(data.picker).toEqual(choices)
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

test('a topic that there is not gets the list of those that there are', async () => {
  const lines: string[] = []
  expect(await run([catalogCommand()], ['catalog', 'weather'], (text) => lines.push(text))).toBe(2)
  expect(lines.join('')).toContain('checkers')
})
