import { readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { skillNames } from '../../src/skills/shipped.js'
import { writeReport } from '../../src/findings/report.js'
import type { ScenarioRecord } from '../../src/session/record.js'
import { createSession, writeScenarioRecord, writeSessionInfo } from '../../src/session/session.js'
import { root, textOf } from '../repo/sources.js'
import { faultWindow, runRecord, scenarioRecord, sessionInfo } from '../session/records.js'
import { temporaryDirectory } from '../support/temporary.js'

interface Result {
  readonly of: string
  readonly property: { readonly kind: string }
  readonly problems: readonly string[]
}

async function evals(...args: string[]) {
  const { exitCode, stdout, stderr } = await execa('node', ['scripts/evals.mjs', '--json', ...args], {
    cwd: root,
    reject: false,
    timeout: 60_000,
  })
  const results = stdout === '' ? [] : stdout.split('\n').map((line) => JSON.parse(line) as Result)
  return { exitCode, stderr, results, failing: results.filter(({ problems }) => problems.length > 0) }
}

const good = path.join(root, 'test/fixtures/plans/orders.md')

async function fileWith(text: string, name = 'plan.md') {
  const file = path.join(await temporaryDirectory(), name)
  await writeFile(file, text)
  return file
}

describe('evals of a plan', () => {
  it('accept a good one', async () => {
    const { exitCode, results } = await evals('--plan', good)
    expect(exitCode).toBe(0)
    expect(results.map(({ property }) => property.kind)).toEqual(['lint'])
  })

  it('say what is wrong with a bad one', async () => {
    const bad = textOf('test/fixtures/plans/orders.md').replace(
      /- \*\*Oracle:\*\* linear.*/,
      '- **Oracle:** the logs look fine',
    )
    const { exitCode, failing } = await evals('--plan', await fileWith(bad))
    expect(exitCode).toBe(1)
    expect(failing[0]?.problems.join('\n')).toContain('oracle-not-checkable')
  })

  it('hold it to what its prompt asks for', async () => {
    const answer = await fileWith('Not observed under the tested faults.', 'answer.md')
    const { exitCode, failing } = await evals('--eval', 'design-boundary', '--plan', good)
    expect(failing).toEqual([])
    expect(exitCode).toBe(0)
    const noArms = textOf('test/fixtures/plans/orders.md')
      .replaceAll('boundary', 'safety')
      .replaceAll('export', 'other')
    const refused = await evals('--eval', 'design-boundary', '--plan', await fileWith(noArms))
    expect(refused.failing.map(({ property }) => property.kind)).toEqual(
      expect.arrayContaining(['claims', 'arms']),
    )
    expect((await evals('--eval', 'report', '--answer', answer)).failing).toHaveLength(2)
  })

  it('answer 2 for what cannot be used', async () => {
    for (const args of [
      [],
      ['--plan', '/nowhere.md'],
      ['--eval', 'nothing', '--plan', good],
      ['--eval', 'report', '--plan', good],
    ]) {
      const { exitCode, stderr } = await evals(...args)
      expect(exitCode).toBe(2)
      expect(stderr).toMatch(/^evals: .+/)
    }
  })
})

describe('evals of a session', () => {
  const passing = scenarioRecord({
    nemesis: ['partition'],
    runs: [runRecord({ faults: [faultWindow()], checks: [judged(120)] })],
  })

  it('accept one whose report says what was recorded, with evidence', async () => {
    const { failing, exitCode } = await evals('--session', await sessionWith([passing]))
    expect(failing).toEqual([])
    expect(exitCode).toBe(0)
  })

  it('refuse a pass whose oracle did nothing, or whose fault shows on one side only', async () => {
    const [injector] = faultWindow().evidence
    const blind = scenarioRecord({ runs: [runRecord({ checks: [judged(0)] })] })
    const oneSided = scenarioRecord({
      runs: [
        runRecord({ faults: [faultWindow({ evidence: injector ? [injector] : [] })], checks: [judged(9)] }),
      ],
    })
    for (const record of [blind, oneSided]) {
      const { failing, exitCode } = await evals('--session', await sessionWith([record]))
      expect(failing.map(({ property }) => property.kind)).toEqual(['passes-cited'])
      expect(exitCode).toBe(1)
    }
  })

  it('refuse a report that somebody has written over', async () => {
    const inconclusive = scenarioRecord({
      ruling: { verdict: 'INCONCLUSIVE-fault-not-proven', row: 4, reason: 'no traffic met the rule' },
    })
    const directory = await sessionWith([inconclusive])
    const report = path.join(directory, 'findings/report.md')
    const text = await readFile(report, 'utf8')
    await writeFile(report, text.replaceAll('INCONCLUSIVE-fault-not-proven', 'PASS-hardening'))
    const { failing } = await evals('--session', directory)
    expect(failing.map(({ property }) => property.kind)).toEqual(['report-agrees'])
  })

  it('refuse a violation that nobody has classified', async () => {
    const violated = scenarioRecord({
      ruling: { verdict: 'FAIL-reproducible', row: 3, reason: 'seen again' },
      classification: null,
    })
    const { failing } = await evals('--session', await sessionWith([violated]))
    expect(failing.map(({ property }) => property.kind)).toContain('violations-blamed')
  })

  it('answer 2 for a directory that is no session', async () => {
    expect((await evals('--session', await temporaryDirectory())).exitCode).toBe(2)
  })
})

describe('evals of a repository', () => {
  async function repository() {
    const directory = await temporaryDirectory()
    const git = (...args: string[]) =>
      execa('git', ['-C', directory, '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], {
        timeout: 60_000,
      })
    await git('init', '-q')
    const plan = path.join(directory, 'docs/testing-plans/orders.md')
    await mkdir(path.dirname(plan), { recursive: true })
    await writeFile(plan, await readFile(good))
    return { directory, git, plan }
  }

  it('see what was written besides plan and sessions', async () => {
    const { directory, plan } = await repository()
    await mkdir(path.join(directory, 'test-sessions'))
    await writeFile(path.join(directory, 'test-sessions/log.md'), '')
    const ask = () =>
      evals(
        '--eval',
        'design-docs-only',
        '--repository',
        directory,
        '--plan',
        plan,
        '--answer',
        path.join(directory, 'test-sessions/log.md'),
      )
    expect((await ask()).failing.map(({ of }) => of)).toEqual(['answer'])
    await writeFile(path.join(directory, 'src.ts'), '')
    expect((await ask()).failing.map(({ of }) => of)).toEqual(
      expect.arrayContaining(['answer', 'repository']),
    )
  })

  it('see whether the target files are staged and nothing else is changed', async () => {
    const { directory, git, plan } = await repository()
    const session = await sessionWith([])
    const ask = async () => {
      const { results } = await evals(
        '--eval',
        'execute-author',
        '--repository',
        directory,
        '--plan',
        plan,
        '--session',
        session,
      )
      return results.find(({ property }) => property.kind === 'authored')?.problems
    }
    await mkdir(path.join(directory, 'test'))
    for (const name of ['orders', 'election', 'tenants'])
      await writeFile(path.join(directory, `test/${name}.scenario.ts`), '')
    expect(await ask()).toHaveLength(3)
    await git('add', 'test')
    expect(await ask()).toEqual([])
    await git('commit', '-qm', 'too much')
    expect(await ask()).toHaveLength(3)
  })
})

describe('the evals themselves', () => {
  const sets = readdirSync(path.join(root, 'evals')).filter(
    (name) => name.endsWith('.json') && name !== 'always.json',
  )
  const all = sets.flatMap(
    (name) =>
      (
        JSON.parse(textOf(`evals/${name}`)) as {
          evals: { id: string; skill: string; expect: Record<string, { kind: string; pattern?: string }[]> }[]
        }
      ).evals,
  )

  it('have ids of their own, a skill that there is, and kinds that are known', async () => {
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(new Set(all.map(({ skill }) => skill))).toEqual(new Set(skillNames))
    for (const { expect: expected } of all) {
      for (const [of, properties] of Object.entries(expected)) {
        const source = textOf(`evals/checks/${of}.mjs`)
        for (const { kind, pattern } of properties) {
          expect(source).toMatch(new RegExp(`^  (?:async )?'?${kind}'?\\(`, 'm'))
          if (pattern !== undefined) expect(() => new RegExp(pattern)).not.toThrow()
        }
      }
    }
  })
})

function judged(operations: number) {
  return {
    checker: 'linearizable',
    model: 'register',
    valid: true,
    reason: null,
    operations,
    coverage: 'all' as const,
    evidence: { operations },
    anomalies: [],
    scope: [],
    ms: 1,
  }
}

async function sessionWith(records: readonly ScenarioRecord[]): Promise<string> {
  const directory = await temporaryDirectory()
  await createSession(directory)
  await writeSessionInfo(directory, sessionInfo())
  for (const record of records) await writeScenarioRecord(directory, record)
  await writeReport(directory, sessionInfo())
  return directory
}
