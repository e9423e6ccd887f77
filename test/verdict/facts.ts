import type { VerdictFacts } from '../../src/verdict/verdict.js'

/** Facts of a run that deserves PASS-hardening, with the given ones put in their place. */
export function facts(changes: Partial<VerdictFacts> = {}): VerdictFacts {
  return {
    attempted: true,
    notAttempted: null,
    serious: true,
    missing: [],
    ended: [],
    violation: null,
    faults: [{ name: 'partition', landed: true, cause: null }],
    modelChecker: { name: 'linearizable', operations: 900 },
    checks: [check()],
    sensitivity: [],
    weakHistory: [],
    tierMet: 'hardening',
    seedsAgreeing: 3,
    unmet: [],
    waived: [],
    waivedNeedlessly: [],
    ...changes,
  }
}

export function check(changes: Partial<VerdictFacts['checks'][number]> = {}): VerdictFacts['checks'][number] {
  return {
    checker: 'linearizable',
    valid: true,
    reason: null,
    operations: 900,
    coverage: 'all',
    misfit: null,
    ...changes,
  }
}

/** A checker that noticed every violation made of the history that it found clean. */
export function sensitivity(
  changes: Partial<VerdictFacts['sensitivity'][number]> = {},
): VerdictFacts['sensitivity'][number] {
  return {
    checker: 'linearizable',
    mutants: 20,
    killed: 20,
    floor: 0.95,
    survivors: ['read (operation 17) meets 3'],
    ...changes,
  }
}
