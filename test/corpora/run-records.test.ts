import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { rulingOn } from '../../src/scenario/ruling/ruling.js'
import { auditsOf } from '../../src/verdict/audits/audits-of.js'
import { verdicts } from '../../src/verdict/verdict.js'
import { blameIn, violationGivenSchema } from './run-records/blame-of.js'
import { givenSchema } from './run-records/given.js'
import { recordOf } from './run-records/record-of.js'

/** Run records after public reports, each with the right answer; `blame` is for what looks like a violation. */
const fixtures = fileURLToPath(new URL('../fixtures/run-records', import.meta.url))

const expectSchema = z.strictObject({
  verdict: z.array(z.enum(verdicts)).optional(),
  alternative: z.string().optional(),
  never: z.array(z.enum(verdicts)).optional(),
  landed: z.boolean().optional(),
  blame: z.string().optional(),
})
const listSchema = z.array(
  z.looseObject({ name: z.string(), file: z.string(), expect: expectSchema, why: z.string() }),
)

function read(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

const { records } = z.looseObject({ records: listSchema }).parse(read(path.join(fixtures, 'index.json')))
const decided = records.filter(({ expect: { verdict } }) => verdict !== undefined)

async function judgedRecord(file: string) {
  const { given } = z.strictObject({ name: z.string(), given: givenSchema }).parse(read(file))
  const record = await recordOf(given)
  record.audits = auditsOf(record)
  return { record, ruling: rulingOn(record) }
}

describe('run records from public reports', () => {
  it.each(decided)('$name', async ({ file, why, expect: expected }) => {
    const { record, ruling } = await judgedRecord(path.join(fixtures, file))
    expect(expected.verdict, `${why} ${ruling.reason}`).toContain(ruling.verdict)
    expect(expected.never ?? []).not.toContain(ruling.verdict)
    if (expected.landed !== undefined) {
      const windows = record.runs.flatMap(({ faults }) => faults)
      expect(windows.map(({ landed }) => landed)).toEqual(windows.map(() => expected.landed))
    }
  })

  it('are all judged, or are about blame alone', () => {
    const others = records.filter((one) => !decided.includes(one))
    expect([decided.length, others.map(({ expect: { blame } }) => blame)]).toEqual([
      11,
      ['checker', 'harness'],
    ])
  })

  it.each(records.filter(({ expect: { blame } }) => blame !== undefined))(
    'blame: $name',
    async ({ file, why, expect: { blame } }) => {
      const { given } = z
        .strictObject({ name: z.string(), given: violationGivenSchema })
        .parse(read(path.join(fixtures, file)))
      expect(await blameIn(given), why).toBe(blame)
    },
  )

  it('say why in the words of the record', async () => {
    const reasonOf = async (name: string) =>
      (await judgedRecord(path.join(fixtures, `${name}.json`))).ruling.reason
    expect(await reasonOf('proxy-blackhole-leaks-a-second-path')).toMatch(
      /revision of m0 had to stand still and went from 108 to 204/,
    )
    expect(await reasonOf('time-daemon-takes-the-skew-back')).toMatch(
      /took it back before its end: .* was 2000, then 2 again/,
    )
    expect(await reasonOf('partition-of-a-pod-from-itself')).toMatch(/it is between pod-1 and itself/)
    expect(await reasonOf('pause-refused-by-the-runtime')).toMatch(
      /could not be put in place: OCI runtime pause failed/,
    )
    expect(await reasonOf('wall-clocks-of-two-hosts-compared')).toMatch(/wall clocks/)
  })
})

/** The same records where they are kept beside the repository; NEMESIS_CORPORA names another place. */
const corpora =
  process.env['NEMESIS_CORPORA'] ?? fileURLToPath(new URL('../../../shared/corpora', import.meta.url))

it('hold where they are kept beside the repository as well', async ({ skip }) => {
  const index = path.join(corpora, 'cases', 'index.json')
  if (!existsSync(index)) skip(`there is no ${index}: set NEMESIS_CORPORA to the directory that holds cases`)
  const { evidence } = z.looseObject({ evidence: listSchema }).parse(read(index))
  for (const { name, file, expect: expected } of evidence) {
    if (expected.verdict === undefined) continue
    const { ruling } = await judgedRecord(path.join(corpora, 'cases', file))
    expect(expected.verdict, `${name}: ${ruling.reason}`).toContain(ruling.verdict)
  }
})
