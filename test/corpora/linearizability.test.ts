import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { judgeIndexed } from '../../src/cli/check/corpus.js'
import { readIndex } from '../../src/cli/check/index-file.js'

/** Histories with known verdicts, kept beside the repository; NEMESIS_CORPORA names another place. */
const corpora =
  process.env['NEMESIS_CORPORA'] ?? fileURLToPath(new URL('../../../shared/corpora', import.meta.url))

describe.each(['porcupine', 'knossos'])('%s', (corpus) => {
  const directory = path.join(corpora, corpus)
  const index = path.join(directory, 'index.json')

  it('agrees with every verdict within 60 s each', { timeout: 600_000 }, async ({ skip }) => {
    if (!existsSync(index)) {
      skip(
        `there is no ${corpus} corpus: set NEMESIS_CORPORA to the directory that holds ${corpus}/index.json`,
      )
    }
    const histories = await readIndex(index)
    expect(histories.length).toBeGreaterThan(50)
    for (const history of histories) {
      const result = await judgeIndexed(history, {
        directory,
        limits: { timeoutMs: 60_000, memoryMb: undefined },
      })
      expect(result).toMatchObject({ name: history.name, mismatches: [], unavailable: [], error: null })
      expect(result.undecided, `${history.name} is decided in time`).toEqual([])
    }
  })
})
