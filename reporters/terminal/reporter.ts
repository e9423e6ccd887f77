import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node'
import type { ScenarioMeta } from '../../plugin/vitest/meta.js'
import { NemesisError } from '../../src/errors.js'
import { displayPath } from '../../src/session/display-path.js'
import { aggregates, scenarioVerdicts, type Judged } from '../../src/verdict/arms.js'
import type { ScenarioRecord } from '../../src/session/record.js'
import { counted } from '../../src/verdict/regression.js'
import { sessionVerdict } from '../../src/verdict/session.js'
import { accountFor, type Account } from './account.js'
import { aggregateLine, remarkLine, scenarioLine, sessionLines } from './lines.js'
import { outlet } from './outlet.js'
import { ProgressLines } from './progress-lines.js'
import type { SessionView } from './session-view.js'
import { wrapped } from './wrapped.js'

/**
 * The reporter that the plugin adds: one line a scenario, how long ones are getting on, and at the end the session's
 * verdict and report. A mistake in it is printed under its own name and never breaks the run.
 */
export class NemesisReporter implements Reporter {
  readonly name = 'nemesis'
  readonly #session: SessionView
  #vitest: Vitest | null = null
  #stream: NodeJS.WriteStream = process.stdout
  readonly #progress = new ProgressLines((line) => this.#print(line))

  constructor(session: SessionView) {
    this.#session = session
  }

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    this.#stream = outlet(vitest.config.reporters)
    this.#session.onProgress((progress) => this.#progress.report(progress))
  }

  onTestRunStart(): Promise<void> {
    return this.#guarded('onTestRunStart', async () => {
      await this.#session.begin()
    })
  }

  onTestCaseReady(test: TestCase): void {
    if (scenarioOf(test) === undefined) return
    this.#progress.rest()
  }

  async onTestCaseResult(test: TestCase): Promise<void> {
    if (scenarioOf(test) === undefined) return
    await this.#guarded('onTestCaseResult', async () => {
      const account = await this.#account(test)
      if (account.leftOut) return
      this.#print(scenarioLine(account))
      this.#progress.rest()
    })
  }

  onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    return this.#guarded('onTestRunEnd', async () => {
      const tests = modules.flatMap((module) => [...module.children.allTests()])
      const scenarios = tests.filter((test) => scenarioOf(test) !== undefined)
      if (scenarios.length === 0) return
      const accounts: Account[] = []
      for (const test of scenarios) accounts.push(await this.#finalAccount(test))
      await this.#conclude(scenarios, accounts)
    })
  }

  /** A scenario that is still pending when the run is over has had no line so far. */
  async #finalAccount(test: TestCase): Promise<Account> {
    const account = await this.#account(test)
    if (test.result().state === 'pending') {
      this.#print(scenarioLine(account))
      process.exitCode = 1
    }
    return account
  }

  async #conclude(scenarios: readonly TestCase[], accounts: readonly Account[]): Promise<void> {
    const summary = await this.#session.finish(accounts.flatMap(({ record }) => record ?? []))
    const asked = accounts.filter(({ leftOut }) => !leftOut)
    const judged: readonly (Judged & Pinned)[] = summary?.scenarios ?? judgedBy(scenarios, accounts)
    const verdicts = scenarioVerdicts(judged)
    if (summary !== null || asked.length > 0) {
      const verdict = summary?.verdict ?? sessionVerdict(scenarioVerdicts(judged.map(counted)))
      const reports = summary === null ? reportsOf(scenarios) : [displayPath(summary.report)]
      const names = new Set(asked.map(({ name }) => name))
      const whole = aggregates(judged).filter(({ arms }) => arms.some(({ name }) => names.has(name)))
      this.#printAll([
        ...whole.map(aggregateLine),
        ...(summary?.remarks ?? []).map(remarkLine),
        '',
        ...sessionLines({ verdict, verdicts, reports }),
      ])
    }
    const strict = this.#session.gate === 'strict'
    const isSettled = ({ verdict, expected }: Account) => expected || verdict.startsWith('PASS-')
    if (strict && !asked.every(isSettled)) process.exitCode ||= 1
  }

  async #account(test: TestCase): Promise<Account> {
    const result = test.result()
    const meta = scenarioOf(test) as ScenarioMeta
    const facts = {
      name: test.name,
      meta,
      state: result.state,
      note: result.state === 'skipped' ? result.note : undefined,
      error: result.errors?.[0]?.message.split('\n')[0],
      started: this.#session.hasStarted(test.id),
      selected: this.#isSelected(test),
    }
    return accountFor(facts, meta.result === null ? await this.#session.recordOf(test.name) : null)
  }

  /** Whether `-t` asks for the test. Versions of Vitest join the names of suites in different ways. */
  #isSelected(test: TestCase): boolean {
    const pattern = this.#vitest?.getGlobalTestNamePattern()
    if (pattern === undefined) return true
    return [test.fullName, test.fullName.replaceAll(' > ', ' ')].some((name) => pattern.test(name))
  }

  #printAll(lines: readonly string[]): void {
    for (const line of lines) this.#print(line)
  }

  #print(line: string): void {
    this.#stream.write(`${wrapped(line, this.#stream)}\n`)
  }

  async #guarded(hook: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      process.exitCode = 1
      process.stderr.write(`vitest-nemesis: ${failureOf(hook, error)}\n`)
    }
  }
}

/** What went wrong: in words where we foresaw it, else with the stack that a report of the mistake needs. */
function failureOf(hook: string, error: unknown): string {
  if (error instanceof NemesisError) return error.message
  return `the reporter failed in ${hook}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
}

/** What is known of scenarios without a session at hand, as when the reports of shards are merged. */
type Pinned = Pick<ScenarioRecord, 'regression'>

function judgedBy(scenarios: readonly TestCase[], accounts: readonly Account[]): (Judged & Pinned)[] {
  return scenarios.flatMap((test, index) => {
    const [meta, account] = [scenarioOf(test), accounts[index]]
    if (meta === undefined || account === undefined) return []
    const { id, arm, boundary, regression } = meta.declared
    return [{ id, name: test.name, arm, boundary, regression, ruling: { verdict: account.verdict } }]
  })
}

function reportsOf(scenarios: readonly TestCase[]): string[] {
  const sessions = new Set(scenarios.flatMap((test) => scenarioOf(test)?.result?.session ?? []))
  return [...sessions].map((session) => displayPath(`${session}/findings/report.md`))
}

function scenarioOf(test: TestCase): ScenarioMeta | undefined {
  return test.meta().nemesis
}
