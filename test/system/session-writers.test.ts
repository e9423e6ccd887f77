import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { expect, it } from 'vitest'
import { readSession } from '../../src/session/session.js'
import { scenarioRecord } from '../session/records.js'
import { temporaryDirectory } from '../support/temporary.js'

const writer = fileURLToPath(new URL('session-writer.mjs', import.meta.url))

it('four processes write one session and lose nothing', async () => {
  const directory = await temporaryDirectory()
  const template = JSON.stringify(scenarioRecord())
  await Promise.all(
    [0, 1, 2, 3].map((from) =>
      execa('node', [writer, directory, String(from), template], { timeout: 110_000 }),
    ),
  )
  const { scenarios } = await readSession(directory)
  expect(scenarios.map(({ id }) => id)).toEqual([...Array.from({ length: 40 }, (_, n) => `S${n}`), 'S999'])
  const lines = (await readFile(join(directory, 'session-log.md'), 'utf8')).trim().split('\n').slice(2)
  expect(lines).toHaveLength(4 * 30)
  expect(
    lines.filter((line) => !/^- \d{4}-\S+Z (writer \d says x{3000}|S\d+ \w+: PASS-smoke .*)$/.test(line)),
  ).toEqual([])
  const files = await readdir(directory, { recursive: true })
  expect(files.filter((file) => file.endsWith('.tmp'))).toEqual([])
})
