import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { checkCommand } from '../../src/cli/check.js'
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

/** Three hundred operations of a register, the last of which reads what was overwritten long ago. */
async function stale(lines: (operations: readonly Operation[]) => readonly object[] = (same) => same) {
  const operations = validHistory('register', { operations: 300, processes: 3, seed: 5 })
  const last = operations.at(-1) as Operation
  const end = Math.max(...operations.map(({ complete_ts: completed }) => completed ?? 0))
  const [write] = operations.filter(({ op_type: type }) => type === 'write')
  const read = {
    ...last,
    op_id: 1_000,
    process_id: 99,
    op_type: 'read',
    input: null,
    output: write?.input ?? null,
  }
  const all = [...operations, { ...read, invoke_ts: end + 1, complete_ts: end + 2 }]
  const directory = await temporaryDirectory()
  const file = join(directory, 'history.ndjson')
  await writeFile(
    file,
    lines(all)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  )
  return { directory, file, written: write?.op_id }
}

it('tells the core of a violation and writes it as a history that violates by itself', async () => {
  const { directory, file, written } = await stale()
  const core = join(directory, 'core.ndjson')
  expect(await check(file, '--model', 'register', '--minimise', core)).toBe(1)
  expect(out).toMatch(
    /core: 3 of 301 operations, none of which can be left out; \d+ ms, written to .*core\.ndjson/,
  )
  expect(out).toMatch(new RegExp(`${written} process \\d+: write\\(\\d+\\) +\\|-*\\|\n`))
  expect(out).toMatch(/1000 process 99: read -> \d+ +\|-*\|\n/)
  const ids = (await readFile(core, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).op_id)
  expect(ids).toEqual([written, expect.anything(), 1_000])

  out = ''
  expect(await check(core, '--model', 'register', '--minimise', '--json')).toBe(1)
  expect(JSON.parse(out)).toMatchObject({
    operations: 3,
    core: { minimal: true, file: null, type: 'stale-value' },
  })
  expect(JSON.parse(out).core.operations).toHaveLength(3)
})

/** A history in which the last operation answers what it cannot have met, two thousand operations after the beginning. */
async function impossibleAtTheEnd(model: 'counter' | 'log') {
  const operations = validHistory(model, { operations: 2_000, processes: 3, unknown: 0.02, seed: 5 })
  const end = Math.max(...operations.map(({ complete_ts: completed }) => completed ?? 0))
  const [example] = operations as [Operation]
  const met = {
    counter: { op_type: 'read', input: null, output: 3 },
    log: { op_type: 'read', input: 4, output: null },
  }
  const last = {
    ...example,
    ...met[model],
    op_id: 'last',
    process_id: 99,
    error: null,
    timeout_marker: false,
  }
  const directory = await temporaryDirectory()
  const file = join(directory, 'history.ndjson')
  const all = [...operations, { ...last, invoke_ts: end + 1, complete_ts: end + 2 }]
  await writeFile(file, all.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return { file, core: join(directory, 'core.ndjson') }
}

it.each(['counter', 'log'] as const)(
  'begins the core of a %s with the state before, and says how to judge it by itself',
  async (model) => {
    const { file, core } = await impossibleAtTheEnd(model)
    expect(await check(file, '--model', model, '--minimise', core)).toBe(1)
    expect(out).toMatch(
      /core: 1 of 2001 operations and the state before, none of which can be left out; \d+ ms/,
    )
    expect(out).toMatch(
      /The state was .*, as .* \(operation \d+\) shows: from there on read.* \(operation "last"\) is not/,
    )
    expect(out).toMatch(/\|-+\| +the state before\n/)
    expect(out).toMatch(/"last" process 99: read.* \|-+\|\n/)
    const told = new RegExp(`judged by itself.*: nemesis check ${core} --model ${model} (.+)\n`).exec(out)
    const words = told?.[1]?.replaceAll("'", '').split(' ') ?? []
    out = ''
    expect(await check(core, '--model', model, ...words, '--json')).toBe(1)
    expect(JSON.parse(out)).toMatchObject({ valid: false })
    out = ''
    expect(await check(file, '--model', model, '--minimise', '--json')).toBe(1)
    expect(JSON.parse(out).core).toMatchObject({
      minimal: true,
      beginning: { init: JSON.parse(words[1] ?? '') },
    })
    out = ''
    expect(await check(file, '--model', model, '--minimise')).toBe(1)
    expect(out).toContain('to judge it by itself, have it written: --minimise core.ndjson')
  },
)

it('reads any format', async () => {
  const events = (operations: readonly Operation[]) =>
    operations
      .flatMap((operation) => [
        { at: operation.invoke_ts, type: 'invoke', value: operation.input, operation },
        { at: operation.complete_ts ?? 0, type: 'ok', value: operation.output ?? operation.input, operation },
      ])
      .toSorted((one, other) => one.at - other.at)
      .map(({ at, type, value, operation }, index) => {
        return { index, time: at, type, process: operation.process_id, f: operation.op_type, value }
      })
  const { file } = await stale(events)
  expect(await check(file, '--model', 'register', '--minimise', '--json')).toBe(1)
  expect(JSON.parse(out).core.operations).toHaveLength(3)
})

it('says nothing of a history that holds, and why a violation stays as it is', async () => {
  const directory = await temporaryDirectory()
  const file = join(directory, 'history.ndjson')
  const operations = validHistory('register', { operations: 40, seed: 5 })
  await writeFile(file, operations.map((line) => `${JSON.stringify(line)}\n`).join(''))
  expect(await check(file, '--model', 'register', '--minimise', '--json')).toBe(0)
  expect(JSON.parse(out).core).toBeNull()
  out = ''
  const dumps = [1, 2].map((value) => ({
    ...operations[0],
    op_id: value,
    op_type: 'dump',
    input: null,
    output: { a: value },
    error: null,
    timeout_marker: false,
    node_seen: `n${value}`,
  }))
  await writeFile(
    file,
    dumps
      .map((line, at) => `${JSON.stringify({ ...line, invoke_ts: 2 * at, complete_ts: 2 * at + 1 })}\n`)
      .join(''),
  )
  expect(await check(file, '--model', 'register', '--checker', 'reconciliation', '--minimise')).toBe(1)
  expect(out).toContain('not made small: what may be left out for reconciliation is not known')
})

it('refuses a file for the cores of several histories, and a corpus', async () => {
  expect(await check('a.ndjson', 'b.ndjson', '--model', 'register', '--minimise', 'core.ndjson')).toBe(2)
  expect(err).toContain('--minimise with a file goes with one history')
  err = ''
  expect(await check('--index', 'index.json', '--minimise')).toBe(2)
  expect(err).toContain('--mutants and --minimise')
})
