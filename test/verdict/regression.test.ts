import { describe, expect, it } from 'vitest'
import { countedVerdict, regressionOf } from '../../src/verdict/regression.js'
import { sessionVerdict } from '../../src/verdict/session.js'
import { verdicts, type Verdict } from '../../src/verdict/verdict.js'

const pin = { of: 'orders 1.4.2 (known bad)', lastFailedAt: null }
const counted = (verdict: Verdict) => countedVerdict(pin, verdict)

describe('a scenario pinned to a known-bad version', () => {
  it.each([
    ['FAIL-reproducible', 'expected'],
    ['FAIL-nondeterministic', 'expected'],
    ['PASS-smoke', 'lost'],
    ['PASS-hardening', 'lost'],
    ['PARTIAL-model', 'lost'],
    ['PARTIAL-surface', 'lost'],
    ['INCONCLUSIVE-oracle-too-weak', 'lost'],
    ['INCONCLUSIVE-fault-not-proven', 'lost'],
    ['INCONCLUSIVE-env', 'open'],
    ['NOT-RUN', 'open'],
  ] as const)('%s: %s', (verdict, told) => {
    expect(regressionOf(pin, verdict)).toBe(told)
    expect(regressionOf(null, verdict)).toBeNull()
    expect(countedVerdict(null, verdict)).toBe(verdict)
  })

  it('is done in a session when it fails, and a concern or nothing learnt when it does not', () => {
    expect(sessionVerdict([counted('FAIL-reproducible')])).toBe('DONE')
    expect(sessionVerdict(['PASS-smoke', counted('FAIL-nondeterministic')])).toBe('DONE')
    expect(sessionVerdict(['PASS-smoke', counted('PASS-smoke')])).toBe('DONE_WITH_CONCERNS')
    expect(sessionVerdict([counted('PASS-hardening')])).toBe('INCONCLUSIVE')
    expect(sessionVerdict([counted('NOT-RUN')])).toBe('BLOCKED')
    expect(sessionVerdict([counted('FAIL-reproducible'), 'FAIL-reproducible'])).toBe('FAIL')
  })

  it('never makes a session FAIL by itself', () => {
    for (const verdict of verdicts) expect(sessionVerdict([counted(verdict)])).not.toBe('FAIL')
  })
})
