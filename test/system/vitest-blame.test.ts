import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { scenarioRecordSchema } from '../../src/session/record.js'
import { requires } from '../support/requirements.js'
import { isAvailable, versions, VitestProject } from './support/vitest-project.js'

const [version] = versions
if (version === undefined || !isAvailable(version)) throw new Error('this package depends on Vitest')

let project: VitestProject
afterEach(() => project.remove())

async function found(name: string) {
  project = new VitestProject(version as NonNullable<typeof version>, 'blame')
  const { code, stdout, stderr } = await project.run(['run', '-t', name])
  expect(code, stdout + stderr).toBe(1)
  const [session = ''] = project.sessions()
  const text = readFileSync(join(session, 'artifacts', name, 'record.json'), 'utf8')
  const record = scenarioRecordSchema.parse(JSON.parse(text))
  expect(record.ruling.verdict, record.ruling.reason).toBe('FAIL-reproducible')
  const report = project.read(/report {2}(\S+)/.exec(stdout)?.[1] ?? '')
  return { report, classification: record.classification }
}

describe('what is not the system’s', { timeout: 600_000 }, () => {
  it('a model that is wrong is the checker’s', async () => {
    const { classification, report } = await found('judged_by_a_wrong_model')
    expect(classification).toMatchObject({
      blame: 'checker',
      reason: expect.stringMatching(/known-good history: it rejects one of \d+ operations/),
    })
    expect(report).toContain('known-good history')
  })

  it('requests that make no sense are the harness’s', async () => {
    const { classification } = await found('asks_for_what_makes_no_sense')
    expect(classification).toMatchObject({
      blame: 'harness',
      reason: expect.stringMatching(/requests: \d+ of \d+ operations were refused as senseless.*bad request/),
    })
  })
})

requires('linux', 'root')('what is the machine’s', () => {
  it('a disk that fills while the nodes write', { timeout: 600_000 }, async () => {
    const { classification } = await found('goes_on_while_the_disk_fills')
    expect(classification).toMatchObject({
      blame: 'environment',
      reason: expect.stringMatching(/host signals: yes, .*disk-full: data of a node: .* MiB were free/),
    })
  })
})
