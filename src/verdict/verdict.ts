export const verdicts = [
  'PASS-smoke',
  'PASS-hardening',
  'FAIL-reproducible',
  'FAIL-nondeterministic',
  'INCONCLUSIVE-env',
  'INCONCLUSIVE-oracle-too-weak',
  'INCONCLUSIVE-fault-not-proven',
  'PARTIAL-surface',
  'PARTIAL-model',
  'NOT-RUN',
] as const
export type Verdict = (typeof verdicts)[number]

/** A verdict with the fact that decided it. */
export interface Ruling {
  readonly verdict: Verdict
  /** The number of the decision row (1 to 9) that matched. */
  readonly row: number
  /** One sentence for people. */
  readonly reason: string
}

/** Everything that the decision looks at, as recorded. */
export interface VerdictFacts {
  /** False when the scenario was declared but never started. */
  readonly attempted: boolean
  /** Why it was not attempted (skipped, todo, filtered out), if it was not. */
  readonly notAttempted: string | null
  /** A claim that it falsifies is serious: rows 5 to 7 apply. */
  readonly serious: boolean
  /** Capabilities that were needed and not there, each with how to get it. */
  readonly missing: readonly { readonly what: string; readonly hint: string }[]
  /** Runs that did not go to their end, such as one whose system never became ready, or whose test is broken. */
  readonly ended: readonly { readonly what: string; readonly hint: string | null }[]
  /** The first violation, and how many of the re-runs with the same seed showed it again. */
  readonly violation: {
    readonly summary: string
    readonly reruns: number
    readonly reproduced: number
  } | null
  readonly faults: readonly {
    readonly name: string
    readonly landed: boolean
    readonly cause: string | null
  }[]
  /** The checker that judges by the declared model: did it run, to the end, on what. Null when none is declared. */
  readonly modelChecker: { readonly name: string; readonly operations: number } | null
  readonly checks: readonly {
    readonly checker: string
    readonly valid: boolean | 'unknown'
    readonly reason: string | null
    readonly operations: number
    readonly coverage: 'all' | 'subset'
    readonly misfit: string | null
  }[]
  /** Of checkers that found nothing, in each run: how many violations made of its history they noticed. */
  readonly sensitivity: readonly {
    readonly checker: string
    readonly mutants: number
    readonly killed: number
    /** The share that must be noticed. */
    readonly floor: number
    /** Those that were not noticed, in words. */
    readonly survivors: readonly string[]
  }[]
  /** Fields that a checker needs and the history lacks, in words. */
  readonly weakHistory: readonly string[]
  /** The highest tier whose budget the record meets. */
  readonly tierMet: 'none' | 'smoke' | 'hardening' | 'release'
  /** Seeds that ran to the end and agreed. */
  readonly seedsAgreeing: number
  /**
   * Checks before a pass that are not met and not waived, and to what each downgrades it. Those that block `PASS` block
   * any pass.
   */
  readonly unmet: readonly {
    readonly check: string
    readonly blocks: 'PASS' | 'PASS-hardening'
    readonly downgrade: 'PARTIAL-surface' | 'PARTIAL-model'
  }[]
  /** Checks that are not met and that the declaration lets pass, each with its reason. */
  readonly waived: readonly { readonly check: string; readonly because: string }[]
  /** Checks that are waived although they are met or do not apply. */
  readonly waivedNeedlessly: readonly string[]
}
