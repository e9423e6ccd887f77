import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { annotationsOf } from '../../../reporters/github/annotations.js'
import { tellGitHub } from '../../../reporters/github/github-actions.js'
import { scenarioRecord, sessionInfo } from '../../session/records.js'
import { temporaryDirectory } from '../../support/temporary.js'

const failed = scenarioRecord({
  id: 'S2',
  location: 'test/orders.scenario.ts:12',
  ruling: { verdict: 'FAIL-reproducible', row: 3, reason: 'read 3, 100% stale\n::error::x' },
})
const open = scenarioRecord({
  id: 'S3',
  name: 'keeps: a, b',
  location: null,
  ruling: { verdict: 'INCONCLUSIVE-env', row: 2, reason: 'no engine' },
})

describe('annotations', () => {
  it('are errors for violations, warnings for what is not settled, and none for a pass', () => {
    expect(annotationsOf([scenarioRecord(), failed, open], 'packages/orders')).toEqual([
      '::error file=packages/orders/test/orders.scenario.ts,line=12,title=S2 linearizable_register_under_partition%3A FAIL-reproducible::read 3, 100%25 stale%0A::error::x',
      '::warning title=S3 keeps%3A a%2C b%3A INCONCLUSIVE-env::no engine',
    ])
  })

  it('an expected violation is a notice', () => {
    const [line] = annotationsOf([{ ...failed, regression: { of: '1.4.2', lastFailedAt: null } }], '')
    expect(line).toMatch(/^::notice file=test\/orders\.scenario\.ts,/)
  })
})

describe('tellGitHub', () => {
  const session = { ...sessionInfo(), verdict: 'FAIL' as const, scenarios: [failed, open] }

  async function told(environment: NodeJS.ProcessEnv) {
    let text = ''
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
      text += String(chunk)
      return true
    })
    onTestFinished(() => write.mockRestore())
    await tellGitHub(session, { root: '/ci/orders', report: 'findings/report.md', environment })
    write.mockRestore()
    return text
  }

  it('annotates, and adds the first screen to the summary of the job', async () => {
    const file = join(await temporaryDirectory(), 'summary.md')
    const text = await told({
      GITHUB_ACTIONS: 'true',
      GITHUB_WORKSPACE: '/ci',
      GITHUB_STEP_SUMMARY: file,
    })
    expect(text).toContain('::error file=orders/test/orders.scenario.ts,line=12')
    const summary = await readFile(file, 'utf8')
    expect(summary).toContain('**FAIL**. 1 of 2 scenarios falsified a claim')
    expect(summary).toContain('| S2 | `linearizable_register_under_partition` | **FAIL-reproducible** |')
    expect(summary).toContain('Report: `findings/report.md`')
  })

  it('says nothing anywhere else', async () => {
    expect(await told({})).toBe('')
  })
})
