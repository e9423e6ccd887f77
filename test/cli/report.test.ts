import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { reportCommand } from '../../src/cli/report.js'
import { run } from '../../src/cli/run.js'
import { writeReport } from '../../src/findings/report.js'
import { createSession, writeScenarioRecord } from '../../src/session/session.js'
import { scenarioRecord, sessionInfo } from '../session/records.js'
import { temporaryDirectory } from '../support/temporary.js'

it('renders a session again, the same', async () => {
  const directory = await temporaryDirectory()
  await createSession(directory)
  await writeScenarioRecord(directory, scenarioRecord())
  await writeReport(directory, sessionInfo())
  const file = join(directory, 'findings', 'report.md')
  const before = await readFile(file, 'utf8')
  await rm(join(directory, 'findings'), { recursive: true })
  expect(await run([reportCommand()], ['report', directory])).toBe(0)
  expect(await readFile(file, 'utf8')).toBe(before)
})

it.each([
  ['what is no session', async () => undefined, /is not a session directory.* -> name a directory/],
  ['a session without its info', createSession, /artifacts\/session\.json is missing -> run/],
])('ends with 2 and one line for %s', async (_title, prepare, line) => {
  const directory = await temporaryDirectory()
  await prepare(directory)
  let errors = ''
  expect(await run([reportCommand()], ['report', directory], (text) => (errors += text))).toBe(2)
  expect(errors).toMatch(line)
  expect(errors.trim().split('\n')).toHaveLength(1)
})
