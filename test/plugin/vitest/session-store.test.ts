import { expect, it } from 'vitest'
import { finishSession } from '../../../plugin/vitest/session-store.js'
import { createSession } from '../../../src/session/session.js'
import { scenarioRecord, sessionInfo } from '../../session/records.js'
import { temporaryDirectory } from '../../support/temporary.js'

async function remarksOf(plan: string | null) {
  const directory = await temporaryDirectory()
  await createSession(directory)
  const session = { directory, info: sessionInfo({ plan }), root: directory }
  const { remarks } = await finishSession(session, [scenarioRecord(), scenarioRecord({ name: 'another' })])
  return remarks
}

it('remarks on a plan that was not there, and on ids that are shared', async () => {
  expect(await remarksOf('docs/nope.md')).toEqual([
    expect.stringContaining('S1 is the id of 2 scenarios'),
    expect.stringContaining('there was no plan docs/nope.md when the run started'),
  ])
})

it('remarks on no plan when none is configured', async () => {
  expect(await remarksOf(null)).toHaveLength(1)
})
