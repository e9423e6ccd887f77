import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SessionError } from '../../src/errors.js'
import {
  appendToLog,
  createSession,
  openSession,
  readSession,
  writeScenarioRecord,
  writeSessionInfo,
} from '../../src/session/session.js'
import { temporaryDirectory } from '../support/temporary.js'
import { runRecord, scenarioRecord, sessionInfo } from './records.js'

describe('a session directory', () => {
  it('has the documented layout, and a second start changes nothing', async () => {
    const directory = join(await temporaryDirectory(), 'quorum', '2026-03-01T12-30-05-250Z')
    await createSession(directory)
    appendToLog(directory, 'toolbox: redis-server 7.0')
    await createSession(directory)
    expect((await readdir(directory)).toSorted()).toEqual([
      'artifacts',
      'findings',
      'logs',
      'metrics',
      'session-log.md',
    ])
    expect(await readFile(join(directory, 'session-log.md'), 'utf8')).toMatch(
      /^# Session log\n\n- \d{4}-\d\d-\d\dT[\d:.]+Z toolbox: redis-server 7\.0\n$/,
    )
  })

  it('gives back what was written, in the natural order of ids', async () => {
    const directory = await temporaryDirectory()
    await createSession(directory)
    const records = ['S10', 'S2', 'S1'].map((id) =>
      scenarioRecord({ id, name: `claim_of_${id.toLowerCase()}` }),
    )
    for (const record of records) await writeScenarioRecord(directory, record)
    await writeSessionInfo(directory, sessionInfo())
    const session = await readSession(directory)
    expect(session.info).toEqual(sessionInfo())
    expect(session.scenarios).toEqual(records.toReversed())
  })

  it('keeps the latest record of a scenario that ran again, and logs both', async () => {
    const directory = await temporaryDirectory()
    await createSession(directory)
    await writeScenarioRecord(directory, scenarioRecord())
    const again = scenarioRecord({ runs: [runRecord(), runRecord({ name: 'seed-43', seed: 43 })] })
    await writeScenarioRecord(directory, again)
    expect((await readSession(directory)).scenarios).toEqual([again])
    const log = await readFile(join(directory, 'session-log.md'), 'utf8')
    expect(log.match(/PASS-smoke \(budget met: smoke; attempted: smoke\)/g)).toHaveLength(2)
  })

  it('keeps every line and record when many write at once', async () => {
    const directory = await temporaryDirectory()
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        await createSession(directory)
        await writeScenarioRecord(directory, scenarioRecord({ id: `S${index}`, name: `claim_${index}` }))
      }),
    )
    expect((await readSession(directory)).scenarios).toHaveLength(24)
    const lines = (await readFile(join(directory, 'session-log.md'), 'utf8')).trim().split('\n').slice(2)
    expect(lines).toHaveLength(24)
    expect(lines.every((line) => /^- \d{4}-.*PASS-smoke/.test(line))).toBe(true)
    const files = await readdir(join(directory, 'artifacts'), { recursive: true })
    expect(files.filter((file) => file.endsWith('.tmp'))).toEqual([])
  })

  it('writes a message of several lines as one line of the log', async () => {
    const directory = await temporaryDirectory()
    await createSession(directory)
    appendToLog(directory, 'first\n  second')
    expect(await readFile(join(directory, 'session-log.md'), 'utf8')).toMatch(/Z first \/ second\n$/)
  })

  it('is readable while a scenario is still running', async () => {
    const directory = await temporaryDirectory()
    await createSession(directory)
    await mkdir(join(directory, 'artifacts', 'running', 'seed-1'), { recursive: true })
    expect(await readSession(directory)).toEqual({ scenarios: [], info: null })
  })
})

describe('what cannot be used', () => {
  it('is named: not a session', async () => {
    const directory = await temporaryDirectory()
    expect(() => openSession(directory)).toThrow(`${directory} is not a session directory`)
    await expect(readSession(directory)).rejects.toThrow(SessionError)
  })

  it('is named: the file and the field', async () => {
    const directory = await temporaryDirectory()
    await createSession(directory)
    await writeScenarioRecord(directory, scenarioRecord())
    const file = join(directory, 'artifacts', 'linearizable_register_under_partition', 'record.json')
    await writeFile(file, JSON.stringify({ ...scenarioRecord(), tierMet: 'huge' }))
    await expect(readSession(directory)).rejects.toThrow(new RegExp(`${file}[^]*tierMet`))
    await writeFile(file, '{"schema": 1,')
    await expect(readSession(directory)).rejects.toThrow(SessionError)
  })

  it('is named: two scenarios of one name', async () => {
    const directory = await temporaryDirectory()
    await createSession(directory)
    await writeScenarioRecord(directory, scenarioRecord({ id: 'S1' }))
    await expect(writeScenarioRecord(directory, scenarioRecord({ id: 'S2' }))).rejects.toThrow(
      "scenarios S1 and S2 are both called 'linearizable_register_under_partition'",
    )
  })
})
