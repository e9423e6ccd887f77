import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { judgeIndexed } from '../../src/cli/check/corpus.js'
import { readIndex } from '../../src/cli/check/index-file.js'

/** Histories with known verdicts, kept beside the repository; NEMESIS_CORPORA names another place. */
const corpora =
  process.env['NEMESIS_CORPORA'] ?? fileURLToPath(new URL('../../../shared/corpora', import.meta.url))
const directory = path.join(corpora, 'elle-cli')

it('agrees with what elle-cli asserts of its histories', { timeout: 120_000 }, async ({ skip }) => {
  const index = path.join(directory, 'index.json')
  if (!existsSync(index))
    skip(`there is no ${index}: set NEMESIS_CORPORA to the directory that holds elle-cli`)
  const answered = new Set<string>()
  for (const history of await readIndex(index)) {
    const result = await judgeIndexed(history, {
      directory,
      limits: { timeoutMs: 60_000, memoryMb: undefined },
    })
    expect(result).toMatchObject({ name: history.name, mismatches: [], undecided: [], error: null })
    if (result.agreeing > 0) for (const checker of Object.keys(result.results)) answered.add(checker)
    if (result.unavailable.length > 0)
      expect(result.unavailable[0]).toMatch(/checker (list-append|rw-register)$/)
  }
  expect([...answered]).toEqual(
    expect.arrayContaining(['bank-total', 'counter', 'linearizable', 'long-fork', 'set', 'set-full']),
  )
})
