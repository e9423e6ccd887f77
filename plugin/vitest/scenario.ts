import { relative } from 'node:path'
import { inject, TestRunner, type TestContext } from 'vitest'
import { DeclarationError } from '../../src/errors.js'
import { declaredScenarios, type DeclaredScenario } from '../../src/scenario/declaration/arms/declared.js'
import type { ScenarioBody } from '../../src/scenario/pass/drive/body.js'
import { declaredRecord } from '../../src/scenario/declaration/declared-record.js'
import { scenarioLimitMs } from '../../src/scenario/declaration/limits.js'
import { requestedMs } from '../../src/scenario/request.js'
import { callSite, type CallSite } from './call-site.js'
import { currentSuite, fileTurn, type FileTurn } from './file-turn.js'
import type { ScenarioMeta } from './meta.js'
import { healWithinMs, perform } from './perform.js'
import type { ScenarioAPI } from './scenario-api.js'
import { key, scenarioTag } from './settings.js'
import { splitOptions } from './test-options.js'
import { vitestLimitMs } from './time-limit.js'
import { todoRecord } from './todo-record.js'

/** What Vitest's chain (`.skip`, `.todo`, `.each`, …) puts on `this`. */
interface Chain {
  readonly skip?: boolean
  readonly todo?: boolean
  readonly each?: boolean
}

type AnyFunction = (...args: unknown[]) => unknown

/**
 * Declares a scenario: a real Vitest test that tries to falsify claims; one for each arm, `name > arm`, when it has arms.
 *
 * Chains as Vitest's `test` does. A violation is never retried into green: `--retry` does not apply.
 * Throws DeclarationError at collection, with every field of the declaration that is wrong.
 */
export const scenarioTest = TestRunner.createTaskCollector(function declare(
  this: Chain,
  name: string,
  given?: unknown,
  handler?: unknown,
) {
  const turn = fileTurn()
  const { root, tier } = inject(key)
  const { declared, body } = argumentsOf(this, name, given, handler as AnyFunction | undefined)
  const { declaration, testOptions } = splitOptions(declared)
  const mode = this.todo || testOptions.todo ? 'todo' : this.skip || testOptions.skip ? 'skip' : 'run'
  const site = callSite(turn.testFile)
  const file = relative(root, turn.testFile).replaceAll('\\', '/')
  const location = site === null ? file : `${file}:${site.line}`
  const tags = [scenarioTag, ...(testOptions.tags ?? [])]
  if (mode === 'todo' && declaration === null) {
    const record = todoRecord(name, { location, tier })
    const meta: ScenarioMeta = { id: name, claims: [], mode, declared: record, result: null }
    return currentSuite().test.fn.call(this, name, { ...testOptions, tags, meta: { [key]: meta } })
  }
  for (const declared of declaredScenarios(name, declaration, body !== undefined)) {
    register(this, declared, { body, mode, testOptions, tags, site, location, turn })
  }
}) as unknown as ScenarioAPI

interface Registration {
  readonly body: AnyFunction | undefined
  readonly mode: ScenarioMeta['mode']
  readonly testOptions: ReturnType<typeof splitOptions>['testOptions']
  readonly tags: readonly string[]
  readonly site: CallSite | null
  readonly location: string
  readonly turn: FileTurn
}

/** Adds the Vitest test of a scenario, or of one of its arms, to the suite in which it is declared. */
function register(chain: Chain, { name, spec }: DeclaredScenario, registration: Registration): void {
  const { body, mode, testOptions, tags, site, location, turn } = registration
  const { tier } = inject(key)
  const declaredMs = testOptions.timeout ?? scenarioLimitMs(spec, tier, body !== undefined)
  const limitMs = declaredMs === 0 ? 0 : declaredMs + requestedMs(name)
  const meta: ScenarioMeta = {
    id: spec.id,
    claims: spec.falsifies.map(({ id }) => id),
    mode,
    declared: declaredRecord(spec, { name, location, tier }),
    result: null,
  }
  const suite = currentSuite()
  suite.test.fn.call(
    chain,
    name,
    {
      ...testOptions,
      tags: [...tags],
      meta: { ...testOptions.meta, [key]: meta },
      timeout: vitestLimitMs(limitMs, healWithinMs),
      retry: 0,
      concurrent: false,
    },
    testFunction(body, (context) =>
      perform(context, { name, spec, body: bodyOf(body, context), limitMs, location, site, turn }),
    ),
  )
  // Vitest finds locations only for every test at once, which ordinary suites would pay for.
  const task = suite.tasks.at(-1)
  if (task !== undefined && site !== null) task.location ??= { line: site.line, column: site.column }
}

/** The same as `scenarioTest`, under the name that reads best. The plugin makes it visible to static discovery. */
export const scenario = scenarioTest

/**
 * The declaration and the body. With `.each` and `.for` the declaration may be a function of the row, which Vitest has
 * bound already: that of `.each` is where a declaration is expected, and that of `.for` where a body is.
 */
function argumentsOf(chain: Chain, name: string, given: unknown, handler: AnyFunction | undefined) {
  if (typeof given === 'function') {
    if (chain.each === true) return { declared: (given as AnyFunction)(), body: undefined }
    throw new DeclarationError('scenario', `scenario('${name}'): the second argument is a function`, {
      hint: 'write scenario(name, { id, falsifies, system, … }, body); a function of the row goes with .each and .for',
    })
  }
  if (handler !== undefined && isBoundByFor(handler) && isEmpty(given)) {
    return { declared: handler(), body: undefined }
  }
  return { declared: given, body: handler }
}

/** Vitest marks the functions of `.for`, to find the fixtures that they want behind the row. */
function isBoundByFor(handler: AnyFunction): boolean {
  return Object.getOwnPropertySymbols(handler).length > 0
}

function isEmpty(given: unknown): boolean {
  return typeof given === 'object' && given !== null && Object.keys(given).length === 0
}

/** The test function that Vitest sees: it must look like the user's body, whose parameters name the fixtures it wants. */
function testFunction(
  body: AnyFunction | undefined,
  run: (context: TestContext) => Promise<void>,
): AnyFunction {
  const handler = (context: unknown) => run(context as TestContext)
  Object.defineProperty(handler, 'toString', {
    value: () => (body === undefined ? '() => {}' : String(body)),
  })
  for (const symbol of body === undefined ? [] : Object.getOwnPropertySymbols(body)) {
    const property = Object.getOwnPropertyDescriptor(body, symbol)
    if (property !== undefined) Object.defineProperty(handler, symbol, property)
  }
  return handler
}

/** The body with the tools of the run on top of Vitest's context, so that fixtures and tools come together. */
function bodyOf(body: AnyFunction | undefined, context: TestContext): ScenarioBody | undefined {
  if (body === undefined) return undefined
  const run: ScenarioBody = (tools) =>
    body(Object.assign(Object.create(context) as object, tools)) as Promise<void>
  // The digest of what drives a scenario is of the body as the user wrote it.
  return Object.defineProperty(run, 'toString', { value: () => String(body) })
}
