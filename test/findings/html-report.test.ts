import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { writeReport } from '../../src/findings/report.js'
import { sessionLayout } from '../../src/session/layout.js'
import type { ScenarioRecord } from '../../src/session/record.js'
import { createSession, writeScenarioRecord } from '../../src/session/session.js'
import { runRecord, scenarioRecord, sessionInfo } from '../session/records.js'
import { temporaryDirectory } from '../support/temporary.js'
import { history, violated } from './violated.js'

const file = 'artifacts/s/seed-42/history.ndjson'
const lines = history.map((operation) => `${JSON.stringify(operation)}\n`).join('')

async function sessionOf(historyText: string | null, ...records: ScenarioRecord[]): Promise<string> {
  const directory = await temporaryDirectory()
  await createSession(directory)
  await mkdir(join(directory, file, '..'), { recursive: true })
  if (historyText !== null) await writeFile(join(directory, file), historyText)
  for (const record of records) await writeScenarioRecord(directory, record)
  return directory
}

const page = (directory: string) => readFile(sessionLayout(directory).reportHtml, 'utf8')
const passed = scenarioRecord({ runs: [runRecord({ history: file })] })

describe('report.html', () => {
  it('has the first screen of report.md, the counterexample and the run over time', async () => {
    const directory = await sessionOf(lines, violated(file))
    await writeReport(directory, sessionInfo())
    const html = await page(directory)
    expect(html).toContain('1 of 1 scenario falsified a claim: S2 falsified C1 (FAIL-reproducible).')
    for (const label of ['Ran:', 'Found:', 'Not tested:', 'Commit under test:', 'Tool:']) {
      expect(html).toContain(`<strong>${label}</strong>`)
    }
    for (const title of ['Space-time diagram', 'Operations of each process', 'Latency', 'Throughput']) {
      expect(html).toContain(`<figcaption><strong>${title}</strong>`)
    }
    expect(html).toContain('3 ok, 0 failed, 1 unknown, of 3 processes, under 1 fault.')
    expect(html).toContain(`npx nemesis replay ${directory} --scenario S2 --seed 42`)
    expect(html.indexOf('falsified a claim')).toBeLessThan(html.indexOf('Space-time diagram'))
  })

  it('comes out the same when it is made again', async () => {
    const directory = await sessionOf(lines, violated(file), passed)
    await writeReport(directory, sessionInfo())
    const first = await page(directory)
    await writeReport(directory, sessionInfo())
    expect(await page(directory)).toBe(first)
  })

  it.each([
    ['is missing', null, 'no such file'],
    ['is broken', 'not json\n', 'expected one JSON object'],
  ])('says when a history %s, and has the rest', async (_, text, told) => {
    const directory = await sessionOf(text, passed)
    await writeReport(directory, sessionInfo())
    const html = await page(directory)
    expect(html).toContain('The history of run seed-42 could not be drawn: ')
    expect(html).toContain(told)
    expect(html).toContain('Scenario results')
  })

  it('says when a run recorded no history', async () => {
    const directory = await sessionOf(lines, scenarioRecord())
    await writeReport(directory, sessionInfo())
    expect(await page(directory)).toContain('Run seed-42 recorded no history, so there is nothing to draw.')
  })

  it('draws a history without operations', async () => {
    const directory = await sessionOf('', passed)
    await writeReport(directory, sessionInfo())
    expect(await page(directory)).toContain('0 ok, 0 failed, 0 unknown, of 0 processes, under 1 fault.')
  })

  it('never fails a run: what is wrong with it is told, and the other files are whole', async () => {
    const directory = await sessionOf(lines, passed)
    // A directory in its place cannot be replaced by a file.
    await mkdir(join(sessionLayout(directory).reportHtml, 'in-the-way'), { recursive: true })
    const told = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const session = await writeReport(directory, sessionInfo())
    const said = told.mock.calls.map(([text]) => String(text)).join('')
    told.mockRestore()
    expect(session.verdict).toBe('DONE')
    expect(said).toMatch(/^vitest-nemesis: report\.html could not be written: .*the other files .* whole\n$/)
    expect(await readFile(sessionLayout(directory).log, 'utf8')).toContain('report.html could not be written')
    expect(existsSync(sessionLayout(directory).reportMarkdown)).toBe(true)
    expect(existsSync(sessionLayout(directory).reportJson)).toBe(true)
  })
})
