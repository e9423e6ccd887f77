import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { recordedSince, sessionsBeside } from '../../src/cli/replay/recorded-since.js'
import { rootOf } from '../../src/cli/replay/root.js'
import { changedSince } from '../../src/scenario/declaration/changed-since.js'
import { createSession, writeScenarioRecord } from '../../src/session/session.js'
import { scenarioRecord } from '../session/records.js'
import { temporaryDirectory } from '../support/temporary.js'

it('finds the root of the project that a session belongs to', async () => {
  const project = join(await temporaryDirectory(), 'shop')
  const session = join(project, 'test-sessions/shop/2026')
  await mkdir(session, { recursive: true })
  await mkdir(join(project, 'nemesis'))
  await writeFile(join(project, 'nemesis/orders.scenario.ts'), '')
  expect(rootOf(session, 'nemesis/orders.scenario.ts')).toBe(project)
  expect(rootOf(session, 'nemesis/gone.scenario.ts')).toBeNull()
})

it('takes what was recorded since, and nothing that was there before', async () => {
  const folder = await temporaryDirectory()
  const session = async (name: string, verdict: 'PASS-smoke' | 'FAIL-reproducible') => {
    await createSession(join(folder, name))
    const ruling = { verdict, row: 3, reason: 'so it is' }
    await writeScenarioRecord(join(folder, name), scenarioRecord({ name: 'holds', ruling }))
  }
  await session('2026-01', 'PASS-smoke')
  await session('2026-02', 'FAIL-reproducible')
  const first = join(folder, '2026-01')
  const before = await sessionsBeside(first)
  const since = async () =>
    (await recordedSince(before, { session: first, scenario: 'holds' }))?.ruling.verdict
  // The later session is not of this run, which has left none.
  expect(await since()).toBeUndefined()
  await session('2026-03', 'PASS-smoke')
  // Of another scenario that ran at the same time.
  await createSession(join(folder, '2026-04'))
  expect(await since()).toBe('PASS-smoke')
})

it('tells what of a scenario has changed', () => {
  const before = scenarioRecord({ harness: 'a', nemesis: ['kill node=n1'], topologies: [] })
  expect(changedSince(before, { ...before })).toEqual([])
  expect(changedSince(before, { ...before, harness: 'b' })).toEqual([
    'what drives and judges it, or the version of vitest-nemesis',
  ])
  expect(changedSince(before, { ...before, nemesis: ['kill node=n2'] })).toEqual(['its faults'])
  expect(changedSince(before, { ...before, topologies: ['five'] })).toEqual(['its systems'])
})
