import fc from 'fast-check'
import { confusable, unlike } from '../../boundary/confusable/confusable.js'
import type { Confusion, IdentifierPair } from '../../boundary/confusable/confusion.js'
import type { Attempt, Control, ControlContext } from '../../boundary/control.js'
import type { Anomaly, CheckResult } from '../../checkers/checker.js'
import { messageOf } from '../../errors.js'
import type { Random } from '../../random/random.js'
import type { ControlResult } from '../../session/observation-record.js'
import type { SystemNode } from '../../systems/system.js'
import { withClients } from './clients.js'
import { controlStepMs } from '../declaration/limits.js'
import { withDeadline } from './poll.js'
import type { System } from '../spec.js'

/** The name of the result that controls give among those of the checkers. */
const controlsChecker = 'controls'

const longestDetail = 200

export interface ControlsInput<Client> {
  readonly system: System<Client>
  readonly nodes: readonly SystemNode[]
  readonly controls: readonly Control<Client>[]
  /** False when the system did not come to rest after the faults: then no control says anything. */
  readonly rested: boolean
  readonly random: Random
  readonly signal: AbortSignal
}

/** What the controls of one pass showed, one by one and as the result of a checker; that is null without controls. */
export interface ControlsOutcome {
  readonly controls: ControlResult[]
  readonly check: CheckResult | null
}

/** `crossed` when what must be refused was not; `silent` when a control says nothing, which makes the others worthless. */
type Outcome = ControlResult & { readonly found: 'held' | 'crossed' | 'silent' }

/**
 * Runs every control on the live system, once for each kind of look-alike that it asks for, with clients of their own.
 *
 * A negative control that is not refused is a violation. One that is refused where nobody can see it, and a positive
 * one that does not hold, leave the question open. It never throws.
 */
export async function runControls<Client>(input: ControlsInput<Client>): Promise<ControlsOutcome> {
  const outcomes: Outcome[] = []
  const started = performance.now()
  for (const control of input.controls) {
    for (const kind of control.confusable ?? [null]) {
      const name = kind === null ? control.name : `${control.name} (${kind})`
      outcomes.push({
        name,
        kind: control.kind,
        ...(await tried(control, { ...input, name, confusion: kind })),
      })
    }
  }
  return {
    controls: outcomes.map(({ name, kind, held, detail }) => ({ name, kind, held, detail })),
    check: outcomes.length === 0 ? null : checkOf(outcomes, performance.now() - started),
  }
}

type Finding = Pick<Outcome, 'held' | 'detail' | 'found'>

async function tried<Client>(
  control: Control<Client>,
  input: ControlsInput<Client> & { readonly name: string; readonly confusion: Confusion | null },
): Promise<Finding> {
  const { system, nodes, signal, rested } = input
  if (!rested) return silent('not tried: the system did not come to rest')
  const random = input.random.fork(`control ${input.name}`)
  const pair = drawn(input.confusion, random)
  try {
    return await withClients(system, nodes, signal, (clients) => {
      const context = { nodes, clients, pair, random, signal }
      return control.kind === 'positive' ? positive(control, context) : negative(control, context)
    })
  } catch (error) {
    return silent(`could not be tried: ${messageOf(error)}`)
  }
}

function drawn(confusion: Confusion | null, random: Random): IdentifierPair {
  const pairs = confusion === null ? unlike() : confusable(confusion)
  return pairs.generate(new fc.Random(random.fork('pair').generator()), undefined).value
}

async function positive<Client>(
  control: Extract<Control<Client>, { kind: 'positive' }>,
  context: ControlContext<Client>,
): Promise<Finding> {
  await limited(() => control.prepare?.(context), context)
  const attempt = await attempted(() => control.run(context), context)
  const shown = toldAttempt(attempt)
  if (attempt.error !== undefined) return silent(`not possible: ${shown}`)
  if (!(await limited(() => control.holds(attempt.answer, context), context))) {
    return silent(`not what must be seen: ${shown}`)
  }
  return { held: true, found: 'held', detail: `seen: ${shown}` }
}

async function negative<Client>(
  control: Extract<Control<Client>, { kind: 'negative' }>,
  context: ControlContext<Client>,
): Promise<Finding> {
  await limited(() => control.prepare?.(context), context)
  const attempt = await attempted(() => control.attempt(context), context)
  const shown = toldAttempt(attempt)
  if (attempt.error instanceof NoAnswer) return silent(`neither refused nor possible: ${shown}`)
  if (!(await limited(() => control.refused(attempt, context), context))) {
    return { held: false, found: 'crossed', detail: `not refused: ${shown}` }
  }
  const observed = await limited(() => control.observed(context, attempt), context).catch(
    (error: unknown) => new Error(messageOf(error)),
  )
  if (typeof observed === 'string' && observed !== '') {
    return { held: true, found: 'held', detail: `refused: ${shown}; seen: ${shortened(observed)}` }
  }
  const lack = observed instanceof Error ? `looking for it failed: ${observed.message}` : 'nothing shows it'
  return silent(`refused: ${shown}; but ${lack}`)
}

function silent(detail: string): Finding {
  return { held: false, found: 'silent', detail }
}

/** The step of a control did not end in time: whatever it is, it is no answer of the system. */
class NoAnswer extends Error {}

async function attempted(run: () => Promise<unknown>, { signal }: { signal: AbortSignal }): Promise<Attempt> {
  const controller = new AbortController()
  const timer = setTimeout(() => controller.abort(), controlStepMs)
  const overdue = new Promise<never>((_, reject) => {
    AbortSignal.any([controller.signal, signal]).addEventListener('abort', () =>
      reject(new NoAnswer(`no answer within ${controlStepMs} ms`)),
    )
  })
  try {
    return { answer: await Promise.race([Promise.resolve().then(run), overdue]), error: undefined }
  } catch (error) {
    signal.throwIfAborted()
    return { answer: undefined, error: error ?? new Error('it threw nothing') }
  } finally {
    clearTimeout(timer)
  }
}

function limited<T>(step: () => Promise<T> | T, { signal }: { signal: AbortSignal }): Promise<T> {
  return withDeadline(step, controlStepMs, signal)
}

function toldAttempt({ answer, error }: Attempt): string {
  return shortened(error === undefined ? `it answered ${told(answer)}` : messageOf(error))
}

function told(answer: unknown): string {
  try {
    return JSON.stringify(answer) ?? 'nothing'
  } catch {
    // An answer that is no JSON, such as one that holds itself, is told by its kind.
    return String(answer)
  }
}

function shortened(text: string): string {
  return text.length <= longestDetail ? text : `${text.slice(0, longestDetail - 1)}…`
}

function checkOf(outcomes: readonly Outcome[], ms: number): CheckResult {
  const crossed = outcomes.filter(({ found }) => found === 'crossed')
  const open = outcomes.filter(({ found }) => found === 'silent')
  const words = ({ kind, name, detail }: Outcome) => `${kind} control ${JSON.stringify(name)}: ${detail}`
  return {
    checker: controlsChecker,
    model: null,
    valid: crossed.length > 0 ? false : open.length === 0 || 'unknown',
    reason: crossed.length > 0 || open.length === 0 ? null : open.map(words).join('; '),
    operations: outcomes.length,
    coverage: 'all',
    evidence: {
      'positive controls': outcomes.filter(({ kind }) => kind === 'positive').length,
      'negative controls': outcomes.filter(({ kind }) => kind === 'negative').length,
    },
    anomalies: crossed.map((outcome): Anomaly => ({
      type: 'boundary-crossed',
      explanation: `What must be refused was not: ${words(outcome)}`,
      operations: [],
    })),
    scope: ['crossings that no control tries'],
    ms,
  }
}
