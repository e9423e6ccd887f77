import { rm } from 'node:fs/promises'
import { candidateInWords, partsOf, type Candidate } from '../../findings/reduction/candidate.js'
import type { Violation } from '../../findings/violation.js'
import { safeName } from '../../session/names.js'
import type { RunRecord } from '../../session/record.js'
import { passPaths } from '../pass/pass.js'
import type { Passes } from '../runs/passes.js'
import { passOf } from './reproduce.js'

export interface TrialOptions {
  /** What must be seen again. */
  readonly violation: Violation
  /** Number of the first run: `reduce-1`. */
  readonly first: number
  /** Runs at most. */
  readonly runs: number
  /** No run starts after so many milliseconds. */
  readonly withinMs: number
  /** Runs of a candidate that does not show it before it counts as one that does not. */
  readonly tries: number
}

/** A candidate that has shown the violation, with the run in which it did. */
export interface Shown {
  readonly candidate: Candidate
  readonly run: RunRecord
}

const sure = 3

/** Runs candidates, within a budget, and keeps the files of none but the last that showed the violation. */
export class Trials {
  readonly #passes: Passes
  readonly #options: TrialOptions
  readonly #started = performance.now()
  #runs = 0
  #best: Shown | null = null

  constructor(passes: Passes, options: TrialOptions) {
    this.#passes = passes
    this.#options = options
  }

  /** Runs so far. */
  get runs(): number {
    return this.#runs
  }

  get ms(): number {
    return performance.now() - this.#started
  }

  /** The last candidate that showed the violation; null before there is one. */
  get best(): Shown | null {
    return this.#best
  }

  /** Whether a candidate shows the violation in one of its tries; null when the budget is spent or the run cancelled. */
  readonly shows = async (candidate: Candidate): Promise<boolean | null> => {
    for (let attempt = 1; attempt <= this.#options.tries; attempt++) {
      if (this.#spent) return null
      const run = await this.#run(candidate)
      if (this.#isShownBy(run)) {
        await this.#keep({ candidate, run })
        return true
      }
      await this.#forget(run)
    }
    return false
  }

  /**
   * Whether a candidate shows the violation in each of three runs; null as of `shows`. For what must not be left out
   * because of a lucky run, such as the fault that makes a rare race a sure one.
   */
  readonly showsSurely = async (candidate: Candidate): Promise<boolean | null> => {
    for (let attempt = 1; ; attempt++) {
      if (this.#spent) return null
      const run = await this.#run(candidate)
      if (!this.#isShownBy(run)) {
        await this.#forget(run)
        return false
      }
      if (attempt === sure) {
        await this.#keep({ candidate, run })
        return true
      }
      await this.#forget(run)
    }
  }

  /** Runs the best candidate so often again, beyond the budget, and counts how often it shows the violation. */
  async confirm(times: number): Promise<{ reruns: number; reproduced: number }> {
    const counted = { reruns: 0, reproduced: 0 }
    while (this.#best !== null && counted.reruns < times && !this.#passes.cancelled) {
      const run = await this.#run(this.#best.candidate)
      await this.#forget(run)
      if (this.#passes.cancelled) break
      counted.reruns += 1
      if (this.#isShownBy(run)) counted.reproduced += 1
    }
    return counted
  }

  async #keep(shown: Shown): Promise<void> {
    const before = this.#best
    this.#best = shown
    if (before !== null) await this.#forget(before.run)
  }

  get #spent(): boolean {
    const { runs, withinMs } = this.#options
    return this.#passes.cancelled || this.#runs >= runs || this.ms >= withinMs
  }

  async #run(candidate: Candidate): Promise<RunRecord> {
    const { violation, first } = this.#options
    const name = `reduce-${first + this.#runs}`
    this.#runs += 1
    const { seed, system } = violation.run
    const changed = passOf(this.#passes.spec, { ...partsOf(candidate), system })
    const run = await this.#passes.run({ name, purpose: 'experiment', seed, ...changed })
    const seen =
      run.error === null ? (this.#isShownBy(run) ? 'shows it' : 'does not show it') : run.error.message
    this.#passes.ended(name, `${candidateInWords(candidate)}: ${seen}`)
    return run
  }

  /**
   * The same checker finds an anomaly of one of the same types; of any type when it judges by a model, of which one and
   * the same flaw is told in several ways.
   */
  #isShownBy({ checks }: RunRecord): boolean {
    const { check } = this.#options.violation
    const { usesModel } = this.#passes.spec.checkers.find(({ name }) => name === check.checker) ?? {}
    const types = new Set(check.anomalies.map(({ type }) => type))
    return checks.some(
      ({ checker, valid, anomalies }) =>
        checker === check.checker &&
        valid === false &&
        (usesModel === true || types.size === 0 || anomalies.some(({ type }) => types.has(type))),
    )
  }

  async #forget({ name }: RunRecord): Promise<void> {
    const { sessionDir, name: scenario } = this.#passes.environment
    const paths = passPaths(sessionDir, safeName(scenario), name)
    for (const path of Object.values(paths)) await rm(path, { recursive: true, force: true })
  }
}
