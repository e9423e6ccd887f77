import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { checkCommand } from '../../src/cli/check.js'
import { isTooWeak, sensitivityLines } from '../../src/cli/check/sensitivity.js'
import { run } from '../../src/cli/run.js'
import { validHistory } from '../../src/generators/valid-history.js'
import type { Operation } from '../../src/history/operation.js'
import { temporaryDirectory } from '../support/temporary.js'

let out = ''
let err = ''
beforeEach(() => {
  out = ''
  err = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((err += String(text)), true))
})
afterEach(() => {
  vi.restoreAllMocks()
  // The command reports its code there, and that must not become the code of the test run.
  process.exitCode = undefined
})

const check = (...argv: string[]) => run([checkCommand()], ['check', ...argv])

async function recorded(operations: readonly Operation[]): Promise<string> {
  const file = join(await temporaryDirectory(), 'history.ndjson')
  await writeFile(file, operations.map((operation) => `${JSON.stringify(operation)}\n`).join(''))
  return file
}

it('says after a history that holds whether the checker would have noticed', async () => {
  const file = await recorded(validHistory('queue', { operations: 300, seed: 3 }))
  expect(await check(file, '--model', 'queue', '--mutants', '12')).toBe(0)
  expect(out).toMatch(/^valid .*\n {2}noticed 12 of 12 mutants in \d+ ms: .*take-duplicated \d\/\d/)
  const text = out
  out = ''
  expect(await check(file, '--model', 'queue', '--mutants', '12', '--json')).toBe(0)
  expect(JSON.parse(out)).toMatchObject({
    valid: true,
    sensitivity: { checker: 'linearizable', mutants: 12, killed: 12, survivors: [] },
  })
  for (const { name, killed } of JSON.parse(out).sensitivity.mutations)
    expect(text).toContain(`${name} ${killed}/`)
})

it('asks about none where a history does not hold, and says why where none is known', async () => {
  const operations = validHistory('register', { operations: 40, seed: 3 })
  const broken = operations.map((operation) =>
    operation.op_type === 'read' ? { ...operation, output: 'never written' } : operation,
  )
  expect(await check(await recorded(broken), '--model', 'register', '--mutants', '5')).toBe(1)
  expect(out).not.toContain('mutants')
  const locks = await recorded(validHistory('lock', { operations: 40, seed: 3 }))
  expect(await check(locks, '--model', 'lock', '--checker', 'sequential', '--mutants', '5')).toBe(0)
  expect(out).toContain('no mutation is known of what sequential forbids by the model lock')
})

it('refuses what is no number of mutants', async () => {
  const file = await recorded(validHistory('queue', { operations: 10, seed: 3 }))
  expect(await check(file, '--model', 'queue', '--mutants', 'many')).toBe(2)
  expect(err).toContain('--mutants: "many" is not a number of mutants')
})

it('a checker that noticed too few is called too weak, with what it did not notice', () => {
  const measured = {
    checker: 'blind',
    mutants: 20,
    killed: 18,
    mutations: [{ name: 'stale-read', mutants: 20, killed: 18 }],
    survivors: [{ mutation: 'stale-read', what: 'read (operation 17) meets 3' }],
    floor: 0.95,
    reason: null,
    ms: 12,
  }
  expect(isTooWeak(measured)).toBe(true)
  expect(isTooWeak({ ...measured, killed: 19 })).toBe(false)
  expect(isTooWeak({ ...measured, mutants: 0, killed: 0 })).toBe(false)
  expect(sensitivityLines(measured).join('\n')).toBe(
    '  TOO WEAK: noticed 18 of 20 mutants in 12 ms: stale-read 18/20\n  not noticed: read (operation 17) meets 3',
  )
})
