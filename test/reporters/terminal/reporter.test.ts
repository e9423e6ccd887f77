import { stripVTControlCharacters } from 'node:util'
import type { TestModule } from 'vitest/node'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { NemesisReporter } from '../../../reporters/terminal/reporter.js'
import { SessionError } from '../../../src/errors.js'
import type { SessionView } from '../../../reporters/terminal/session-view.js'

const session: SessionView = {
  gate: 'default',
  begin: () => Promise.reject(new Error('no socket')),
  onProgress: () => undefined,
  hasStarted: () => false,
  recordOf: async () => null,
  finish: () => Promise.reject(new Error('disk full')),
}

/** A run with one scenario that was not run. */
function moduleWithScenario(): TestModule {
  const meta = { nemesis: { id: 'S1', claims: ['C1'], mode: 'skip', declared: {}, result: null } }
  const test = { id: '1', name: 's', fullName: 's', meta: () => meta, result: () => ({ state: 'skipped' }) }
  return { children: { allTests: () => [test] } } as unknown as TestModule
}

let written = ''
let exitCode: typeof process.exitCode

beforeEach(() => {
  written = ''
  exitCode = process.exitCode
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written += String(text)
    return true
  })
})

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = exitCode
})

describe('NemesisReporter', () => {
  it('names itself and the hook when it fails, and does not break the run', async () => {
    const reporter = new NemesisReporter(session)
    await reporter.onTestRunStart()
    expect(written).toContain('vitest-nemesis: the reporter failed in onTestRunStart: Error: no socket')
    await reporter.onTestRunEnd([moduleWithScenario()])
    expect(written).toContain('vitest-nemesis: the reporter failed in onTestRunEnd: Error: disk full')
    expect(process.exitCode).toBe(1)
  })

  it('tells what was foreseen in words, without a stack', async () => {
    const failing = new SessionError('not-written', 'report.md could not be written', { hint: 'make room' })
    const reporter = new NemesisReporter({ ...session, begin: () => Promise.reject(failing) })
    await reporter.onTestRunStart()
    expect(written).toBe('vitest-nemesis: report.md could not be written\n  -> make room\n')
  })

  it('tells what the author should mend below the scenarios', async () => {
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const summary = {
      verdict: 'DONE',
      scenarios: [],
      report: '/x/report.md',
      remarks: ['S1 is shared'],
    } as const
    const reporter = new NemesisReporter({ ...session, finish: async () => summary })
    await reporter.onTestRunEnd([moduleWithScenario()])
    expect(out.mock.calls.map(([line]) => stripVTControlCharacters(String(line)))).toContain(
      'nemesis  note  S1 is shared\n',
    )
  })

  it('says nothing about a run without scenarios', async () => {
    const out = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    await new NemesisReporter(session).onTestRunEnd([])
    expect(out).not.toHaveBeenCalled()
    expect(written).toBe('')
  })
})
