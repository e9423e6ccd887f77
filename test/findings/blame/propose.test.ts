import { describe, expect, it } from 'vitest'
import type { Category } from '../../../src/claim/claim.js'
import { propose } from '../../../src/findings/blame/propose.js'
import { faultWindow, runRecord, scenarioRecord } from '../../session/records.js'

function proposed(
  categories: Category[],
  fault: string | null,
  changes: Parameters<typeof runRecord>[0] = {},
) {
  const claims = [{ id: 'C1', text: 'it holds', categories, source: null, inferred: false, anySize: false }]
  const faults = fault === null ? [] : [faultWindow({ fault })]
  const record = scenarioRecord({ claims, runs: [runRecord({ faults, ...changes })] })
  return propose(record, { needsFault: fault !== null })
}

describe('propose', () => {
  it.each<[Category, string | null, string]>([
    ['safety', 'partition', 'partition'],
    ['durability', 'kill', 'crash-recovery'],
    ['durability', 'fsync-failure', 'fault-handling'],
    ['safety', 'clock-skew', 'timing'],
    ['safety', 'pause', 'timing'],
    ['safety', 'rolling-upgrade', 'upgrade'],
    ['safety', 'config-divergence', 'config'],
    ['performance-slo', 'kill', 'performance'],
    ['safety', 'a-fault-of-my-own', 'fault-handling'],
    ['safety', null, 'ordering'],
  ])('%s under %s is of type %s', (category, fault, type) => {
    expect(proposed([category], fault).type).toBe(type)
  })

  it('a fault that is not needed gives no type', () => {
    const record = scenarioRecord()
    expect(propose(record, { needsFault: false }).type).toBe('ordering')
  })

  it('loss is P0, a system that does not come back P1, one that does P2', () => {
    expect(proposed(['durability'], 'kill').severity).toBe('P0')
    expect(proposed(['liveness'], 'kill', { recoveryMs: null }).severity).toBe('P1')
    expect(proposed(['liveness'], 'kill').severity).toBe('P2')
  })

  it('goes by what was violated, where more than that is claimed', () => {
    const categories: Category[] = ['safety', 'performance-slo']
    const claims = [{ id: 'C1', text: 'it holds', categories, source: null, inferred: false, anySize: false }]
    const checkers = [
      { name: 'linearizable', pattern: 1, scope: [], usesModel: true, misfit: null },
      { name: 'slo', pattern: 4, scope: [], usesModel: false, misfit: null },
    ]
    const [check] = runRecord().checks
    const violatedBy = (checker: string) =>
      propose(
        scenarioRecord({
          claims,
          checkers,
          runs: [runRecord({ checks: [{ ...check!, checker, valid: false }] })],
        }),
        { needsFault: null },
      )
    expect(violatedBy('linearizable')).toMatchObject({ type: 'partition', severity: 'P0', tags: ['safety'] })
    expect(violatedBy('slo')).toMatchObject({ type: 'performance', severity: 'P2', tags: [] })
    expect(violatedBy('properties')).toMatchObject({ type: 'performance', severity: 'P0' })
  })

  it('tags tell what it is about', () => {
    expect(proposed(['durability', 'safety'], 'kill').tags).toEqual(['durability', 'safety'])
    const record = scenarioRecord({ model: 'lock' })
    expect(propose(record, { needsFault: null }).tags).toContain('leadership')
  })
})
