import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { writeFinding } from '../../src/findings/finding.js'
import { writeReport } from '../../src/findings/report.js'
import { HistoryError } from '../../src/errors.js'
import { sessionRecordSchema, type ScenarioRecord } from '../../src/session/record.js'
import { createSession, writeScenarioRecord } from '../../src/session/session.js'
import { faultWindow, runRecord, scenarioRecord, sessionInfo } from '../session/records.js'
import { temporaryDirectory } from '../support/temporary.js'
import { history, violated } from './violated.js'

const historyFile = 'artifacts/stale_reads_when_one_replica_answers/seed-42/history.ndjson'

const unproven = scenarioRecord({
  id: 'S3',
  name: 'reads_hold_while_an_idle_link_is_cut',
  ruling: { verdict: 'INCONCLUSIVE-fault-not-proven', row: 4, reason: 'partition: no traffic met it.' },
  runs: [
    runRecord({
      notes: ['no client was free for 3 operations'],
      faults: [faultWindow({ landed: false, landed_ts: null, cause: 'no traffic met it', evidence: [] })],
    }),
  ],
  budget: {
    smoke: { duration: '5s', nodes: 3, faults: 1, seeds: 1 },
    release: { notProvided: 'no soak rig yet', revisitWhen: 'the nightly rig exists' },
  },
  notes: ['a clamp was applied'],
})

async function sessionOf(...records: ScenarioRecord[]): Promise<string> {
  const directory = await temporaryDirectory()
  await createSession(directory)
  await mkdir(join(directory, historyFile, '..'), { recursive: true })
  await writeFile(
    join(directory, historyFile),
    history.map((operation) => `${JSON.stringify(operation)}\n`).join(''),
  )
  for (const record of records) await writeScenarioRecord(directory, record)
  return directory
}

const text = (directory: string, file: string) => readFile(join(directory, 'findings', file), 'utf8')

describe('report.md', () => {
  it('tells the worst first, with evidence before and after, and a way to see it again', async () => {
    const directory = await sessionOf(scenarioRecord(), violated(historyFile), unproven)
    const session = await writeReport(directory, sessionInfo())
    expect(session.verdict).toBe('FAIL')
    const report = await text(directory, 'report.md')

    const summary = report.slice(report.indexOf('## Summary'), report.indexOf('## Scenario results'))
    expect(summary).toContain(
      '**FAIL**. 1 of 3 scenarios falsified a claim: S2 falsified C1 (FAIL-reproducible).',
    )
    expect(report).toContain(
      String.raw`| F1 partition n1 \| n2, n3 | yes | n1->n2 dropped chunks 0 -> 14,712 | n1 unanswered operations 0 -> 31 | 40 |`,
    )
    expect(report).toContain('linearizable: 940 operations in 1 run, keys 4, states explored 2,310')
    expect(report).toContain('| not proven: no traffic met it | - | - | 40 |')
    expect(report).toContain('`0123456789abcdef0123456789abcdef01234567`, clean work tree')
    expect(report).toContain(`npx nemesis replay ${directory} --scenario S2 --seed 42`)
    expect(report).toContain('unknown - pending re-run on another harness/host')
    expect(report).toContain('S3: not provided, because no soak rig yet; revisit when the nightly rig exists')
    expect(report).toContain('## Surfaces\n\nNo scenario has arms')
    expect(report).toContain('S3: a clamp was applied')
    expect(report).toContain('S3 seed-42: no client was free for 3 operations')
    expect(report).toMatch(/## What was not settled, and why\n\n- S3 `reads_hold.*no traffic met it\.\n/)
  })

  it('notes ids that are not unique', async () => {
    const directory = await sessionOf(scenarioRecord(), scenarioRecord({ name: 'another' }))
    await writeReport(directory, sessionInfo())
    expect(await text(directory, 'report.md')).toContain('- S1 is the id of 2 scenarios (')
  })

  it('names checkers that judged without being declared', async () => {
    const [check] = runRecord().checks
    const controls = { ...check!, checker: 'controls', model: null, operations: 7, evidence: { held: 7 } }
    const directory = await sessionOf(scenarioRecord({ runs: [runRecord({ checks: [check!, controls] })] }))
    await writeReport(directory, sessionInfo())
    const report = await text(directory, 'report.md')
    expect(report).toContain('**Oracle:** linearizable (register), controls')
    expect(report).toMatch(/Oracle execution evidence:.*; controls: 7 operations in 1 run\n/)
  })

  it('shows the operations of the shortest counterexample, and names the others', async () => {
    const directory = await sessionOf(violated(historyFile))
    await writeReport(directory, sessionInfo())
    const report = await text(directory, 'report.md')
    const rows = report.split('\n').filter((line) => /^\| \d+ \|/.test(line))
    expect(rows).toEqual([
      '| 7 | 0 | 1.100 s | 1.101 s | write | k0 | `4` | `null` | - | n1 | F1 |',
      '| 9 | 2 | 1.200 s | 1.202 s | read | k0 | `null` | `3` | - | n2 | F1 |',
    ])
    expect(report).toContain(
      'linearizable found 2 violations. Seen again in 2 of 2 re-runs with the same seed.',
    )
    expect(report).toContain('**Also found:**\n\n- lost write: write 6 is nowhere\n')
  })

  it('keeps a table whole when texts hold bars, angle brackets and line ends', async () => {
    const name = 'reads <b>|</b>\nhold'
    const faults = [faultWindow({ target: 'n1 | n2' })]
    const directory = await sessionOf(scenarioRecord({ name, runs: [runRecord({ faults })] }))
    await writeReport(directory, sessionInfo())
    const report = await text(directory, 'report.md')
    const rows = report.split('\n').filter((line) => /^\| (S1|F1 partition) /.test(line))
    expect(rows.map((row) => row.match(/(?<!\\)\|/g)?.length)).toEqual([6, 6])
    expect(rows[0]).toContain(String.raw`reads <b>\|</b> hold`)
    expect(rows[1]).toContain(String.raw`n1 \| n2`)
  })

  it.each<[string, ScenarioRecord[], string]>([
    ['DONE', [scenarioRecord()], 'No violation was observed in 1 scenario under partition.'],
    ['DONE_WITH_CONCERNS', [scenarioRecord(), unproven], 'under partition; 1 scenario settled nothing.'],
    ['INCONCLUSIVE', [unproven], 'Nothing was settled: none of 1 scenario earned a pass'],
    ['BLOCKED', [], 'No scenario was recorded.'],
  ])('has a headline for %s', async (verdict, records, sentence) => {
    const directory = await sessionOf(...records)
    expect((await writeReport(directory, sessionInfo())).verdict).toBe(verdict)
    expect(await text(directory, 'report.md')).toContain(sentence)
  })

  it('never claims more than was seen', async () => {
    const directory = await sessionOf(scenarioRecord())
    await writeReport(directory, sessionInfo())
    expect(await text(directory, 'report.md')).not.toMatch(
      /\b(correct|never|cannot happen|proves?|guarantee)/i,
    )
  })
})

describe('report.json', () => {
  it('is the session, valid by its schema', async () => {
    const directory = await sessionOf(scenarioRecord(), violated(historyFile))
    const session = await writeReport(directory, sessionInfo())
    expect(sessionRecordSchema.parse(JSON.parse(await text(directory, 'report.json')))).toEqual(session)
    expect(session.scenarios.map(({ id }) => id)).toEqual(['S1', 'S2'])
  })

  it('comes out the same when it is made again', async () => {
    const directory = await sessionOf(scenarioRecord(), violated(historyFile))
    await writeReport(directory, sessionInfo())
    const [json, markdown] = [await text(directory, 'report.json'), await text(directory, 'report.md')]
    await writeReport(directory, sessionInfo())
    expect([await text(directory, 'report.json'), await text(directory, 'report.md')]).toEqual([
      json,
      markdown,
    ])
  })
})

describe('findings/<scenario>.md', () => {
  it('holds the whole record for people', async () => {
    const directory = await sessionOf()
    await writeFinding(directory, violated(historyFile))
    const finding = await text(directory, 'stale_reads_when_one_replica_answers.md')
    expect(finding).toMatch(/^# S2: FAIL-reproducible\n\n`stale_reads_when_one_replica_answers`\n/)
    for (const title of ['Violation', 'Oracle', 'Faults', 'Runs']) expect(finding).toContain(`## ${title}\n`)
    expect(finding).toContain('stale read: read 3 by process 2, after 4 | 5 was acknowledged')
    expect(finding).toContain('seed-42-rerun-2 (rerun)')
    expect(finding).toContain('40 of 120 (5 ok, 4 failed, 31 unknown)')
    expect(finding).toContain('| n1->n2 rules 1 -> 0 |')
    expect(finding).toContain(
      'injector: n1->n2 dropped chunks 0 -> 14,712; victim: n1 unanswered operations 0 -> 31',
    )
    expect(finding).not.toContain('## Notes')
  })

  it('says what is missing on this machine', async () => {
    const directory = await sessionOf()
    const missing = [{ what: 'Docker engine', hint: 'apt-get install docker.io' }]
    await writeFinding(directory, scenarioRecord({ missing, runs: [] }))
    expect(await text(directory, 'linearizable_register_under_partition.md')).toContain(
      '- **Docker engine**: apt-get install docker.io',
    )
  })

  it('names the history that it cannot read', async () => {
    const directory = await sessionOf()
    await writeFile(join(directory, historyFile), 'not json\n')
    await expect(writeFinding(directory, violated(historyFile))).rejects.toThrow(HistoryError)
  })
})
