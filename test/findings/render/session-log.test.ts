import { expect, it } from 'vitest'
import { renderClosing } from '../../../src/findings/render/session-log.js'
import { runRecord, scenarioRecord, sessionInfo } from '../../session/records.js'

it('tells the toolbox, the machine, what systems offered, what was missing and the tiers that were met', () => {
  const lacking = scenarioRecord({
    id: 'S2',
    name: 'keeps_orders',
    runs: [],
    tierAttempted: 'hardening',
    tierMet: 'none',
    ruling: { verdict: 'INCONCLUSIVE-env', row: 2, reason: 'no engine' },
    missing: [{ what: 'Docker engine', hint: 'apt-get install docker.io' }],
  })
  const passed = scenarioRecord({ runs: [runRecord({ offers: { lifecycle: 'signals' } })] })
  const text = renderClosing({
    ...sessionInfo(),
    toolbox: [
      { kind: 'make-target', name: 'e2e', command: 'make e2e', file: 'Makefile' },
      { kind: 'document', name: 'When a member fails', command: null, file: 'docs/runbook.md' },
    ],
    verdict: 'DONE_WITH_CONCERNS',
    scenarios: [passed, lacking],
  })
  expect(text).toContain(
    '| quorum (processes) | signals | not offered | not offered | not offered | not offered |',
  )
  expect(text).toContain('| make-target | e2e | make e2e | Makefile |')
  expect(text).toContain('| document | When a member fails | - | docs/runbook.md |')
  expect(text).toContain('- S2 lacks Docker engine: apt-get install docker.io')
  expect(text).toContain('- S2 `keeps_orders`: INCONCLUSIVE-env, budget met: none, attempted: hardening')
  expect(text).toContain('- session: DONE_WITH_CONCERNS')
})

it('says so when nothing ran', () => {
  const text = renderClosing({ ...sessionInfo(), verdict: 'BLOCKED', scenarios: [] })
  expect(text).toContain('It was not looked for.')
  expect(renderClosing({ ...sessionInfo({ toolbox: [] }), verdict: 'BLOCKED', scenarios: [] })).toContain(
    'Nothing was found in the repository.',
  )
  expect(text).toContain('No system was started.')
  expect(text).toContain('Everything that the scenarios need was there.')
})
