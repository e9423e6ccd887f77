import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { judgeIndexed } from '../../src/cli/check/corpus.js'
import { readIndex } from '../../src/cli/check/index-file.js'

/** Histories with known verdicts, kept beside the repository; NEMESIS_CORPORA names another place. */
const corpora =
  process.env['NEMESIS_CORPORA'] ?? fileURLToPath(new URL('../../../shared/corpora', import.meta.url))
const directory = path.join(corpora, 'cases')
const levels =
  /^checker (serializable|strict-serializable|snapshot-isolation|parallel-snapshot-isolation|repeatable-read|read-committed)$/

it('agrees with the verdicts of cases from public reports', { timeout: 120_000 }, async ({ skip }) => {
  const index = path.join(directory, 'index.json')
  if (!existsSync(index)) skip(`there is no ${index}: set NEMESIS_CORPORA to the directory that holds cases`)
  let agreeing = 0
  for (const history of await readIndex(index)) {
    const result = await judgeIndexed(history, {
      directory,
      limits: { timeoutMs: 60_000, memoryMb: undefined },
    })
    expect(result).toMatchObject({ name: history.name, mismatches: [], undecided: [], error: null })
    for (const lacking of result.unavailable) expect(lacking).toMatch(levels)
    agreeing += result.agreeing
  }
  expect(agreeing).toBeGreaterThan(40)
})
