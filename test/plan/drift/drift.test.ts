import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { plannedChanges } from '../../../src/plan/author/changes.js'
import { driftOf } from '../../../src/plan/drift/drift.js'
import { sessionDrift } from '../../../src/plan/drift/session-drift.js'
import { testsOf } from '../../../src/plan/drift/tests.js'
import { parsePlan } from '../../../src/plan/parse/parse.js'
import { scenarioRecord } from '../../session/records.js'
import { temporaryDirectory } from '../../support/temporary.js'

const source = await readFile(new URL('../../fixtures/plans/orders.md', import.meta.url), 'utf8')
const parse = (text = source) => parsePlan(text, 'orders.md')

/** A project in which every scenario of the plan has its generated test. */
async function authored() {
  const root = await temporaryDirectory()
  const { changes } = await plannedChanges({
    plan: parse(),
    planPath: 'orders.md',
    root,
    onExists: async () => 'skip',
  })
  for (const { file, after } of changes) {
    await mkdir(join(file, '..'), { recursive: true })
    await writeFile(file, after)
  }
  return root
}

describe('drift', () => {
  it('none between a plan and the tests made from it', async () => {
    expect(driftOf(parse(), testsOf(parse(), await authored()))).toEqual([])
  })

  it('tells scenarios that no test implements, and where one was expected', async () => {
    const root = await temporaryDirectory()
    expect(driftOf(parse(), testsOf(parse(), root)).map(({ kind, id }) => [kind, id])).toEqual([
      ['unimplemented', 'S1'],
      ['unimplemented', 'S2'],
      ['unimplemented', 'S3'],
    ])
    expect(driftOf(parse(), testsOf(parse(), root))[0]?.detail).toBe(
      'no test implements linearizable_orders_under_asymmetric_partition: test/orders.scenario.ts is not there',
    )
  })

  it('tells a plan that has changed since its test was generated', async () => {
    const edited = parse(source.replace('8 clients', '12 clients'))
    const found = driftOf(edited, testsOf(edited, await authored()))
    expect(found).toMatchObject([
      { kind: 'changed', id: 'S1', detail: expect.stringMatching(/has changed since/) },
    ])
  })

  it('tells a claim that the test words otherwise', async () => {
    const root = await authored()
    const file = join(root, 'test/election.scenario.ts')
    await writeFile(file, (await readFile(file, 'utf8')).replace('within five seconds', 'within ten seconds'))
    expect(driftOf(parse(), testsOf(parse(), root))).toEqual([
      {
        kind: 'claim',
        id: 'C2',
        detail:
          'the plan says "A leader is elected within five seconds", the test says "A leader is elected within ten seconds"',
      },
    ])
  })

  it('tells a test whose scenario the plan has no more', async () => {
    const root = await authored()
    const file = join(root, 'test/election.scenario.ts')
    await writeFile(file, (await readFile(file, 'utf8')).replace('// S2: gen', '// S8: gen'))
    expect(driftOf(parse(), testsOf(parse(), root))).toEqual([
      {
        kind: 'unplanned',
        id: 'S8',
        detail: 'the plan has no such scenario, and test/election.scenario.ts has a test of it',
      },
    ])
  })

  it('tells a scenario of a session that the plan does not have', async () => {
    const { drift } = sessionDrift(parse(), [scenarioRecord({ id: 'S7', claims: [] })], {
      root: await authored(),
      tier: 'smoke',
    })
    expect(drift).toEqual([
      { kind: 'unplanned', id: 'S7', detail: 'the plan has no such scenario, and a test declares it' },
    ])
  })

  it('does not compare a claim whose text is put together', async () => {
    const root = await authored()
    const file = join(root, 'test/election.scenario.ts')
    const source = await readFile(file, 'utf8')
    await writeFile(file, source.replace("within five seconds'", "within ' + 'five seconds'"))
    expect(driftOf(parse(), testsOf(parse(), root))).toEqual([])
  })

  it('a scenario that is declared elsewhere is implemented, and one that is not has a record that says so', async () => {
    const { drift, records } = sessionDrift(parse(), [scenarioRecord({ id: 'S1', claims: [] })], {
      root: await temporaryDirectory(),
      tier: 'smoke',
    })
    expect(drift.map(({ id }) => id)).toEqual(['S2', 'S3'])
    expect(records).toMatchObject([
      {
        id: 'S2',
        name: 'leader_elected_within_five_seconds_under_pauses',
        claims: [{ id: 'C2', categories: ['liveness'] }],
        serious: false,
        ruling: { verdict: 'NOT-RUN', row: 1 },
      },
      { id: 'S3' },
    ])
  })
})
