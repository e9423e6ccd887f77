import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { isOpen, isOpenText } from '../lint/rule.js'
import type { Plan, PlanScenario } from '../plan.js'
import type { Position } from '../position.js'
import { addedTo, lineEnd, newFile, separation } from './code/file.js'
import { scenarioCode, type ScenarioCode } from './code/scenario.js'
import { comment } from './code/text.js'
import { commentMark, isGenerated, verbatim } from './foreign.js'
import { originLine, originsIn } from './header.js'
import { targetOf } from './target.js'

/** What to do with a scenario that is in its target file already. */
export type OnExists = 'skip' | 'sibling' | 'overwrite'

/** What authoring does to one file. */
export interface FileChange {
  readonly file: string
  /** Null for a file that is not there yet. */
  readonly before: string | null
  readonly after: string
  /** Ids of the scenarios that are written. */
  readonly scenarios: readonly string[]
}

/** A scenario that stays as it is. */
export interface Untouched {
  readonly file: string
  readonly scenario: string
  /** True when the plan's part of it has changed since it was generated. */
  readonly drifted: boolean
}

/** A scenario that is not written, as it would be improvised. */
export interface Unready {
  readonly scenario: string
  readonly at: Position
  /** What of it is still to be filled: name, oracle, exit criteria. */
  readonly open: readonly string[]
}

export interface AuthorRequest {
  readonly plan: Plan
  /** The plan's path, relative to the root, as it is told in the files. */
  readonly planPath: string
  readonly root: string
  /** Ids; all scenarios when left out. */
  readonly only?: readonly string[]
  /** Asked for each scenario that is there already. */
  onExists(scenario: string, file: string): Promise<OnExists>
}

/**
 * What to write for the scenarios of a plan, without writing it. A scenario that its target file holds already stays as it
 * is, unless the answer for it says otherwise; the others are added to what there is, or make a new file. One whose name,
 * oracle or exit criteria are still to be filled is not written. Throws PlanError for a target that may not be written.
 */
export async function plannedChanges(request: AuthorRequest): Promise<{
  readonly changes: readonly FileChange[]
  readonly untouched: readonly Untouched[]
  readonly unready: readonly Unready[]
}> {
  const { plan, root, only } = request
  const asked = plan.scenarios.filter(({ id }) => only === undefined || only.includes(id))
  const unready = asked.flatMap((scenario) => unreadyOf(scenario) ?? [])
  const wanted = asked.filter(({ id }) => unready.every(({ scenario }) => scenario !== id))
  const files = new Map<string, Draft>()
  const untouched: Untouched[] = []
  for (const scenario of wanted) {
    const target = targetOf(scenario, { plan: plan.file, root })
    const draft = draftOf(files, target)
    if (!holdsScenario(draft.text, scenario)) {
      draft.add(scenario, request)
      continue
    }
    const answer = await request.onExists(scenario.id, target)
    const sibling = answer === 'sibling' ? draftOf(files, siblingOf(target)) : null
    if (answer === 'overwrite') draft.replace(scenario, request)
    else if (sibling !== null && !holdsScenario(sibling.text, scenario)) sibling.add(scenario, request)
    else untouched.push({ file: target, scenario: scenario.id, drifted: hasDrifted(draft.text, scenario) })
  }
  const changes = [...files.values()].flatMap((draft) => draft.change())
  return { changes, untouched, unready }
}

function unreadyOf({ id, at, name, oracle, exitCriteria }: PlanScenario): Unready | null {
  const open = [
    ...(isOpenText(name) ? ['name'] : []),
    ...(isOpen(oracle) ? ['oracle'] : []),
    ...(isOpen(exitCriteria) ? ['exit criteria'] : []),
  ]
  return open.length === 0 ? null : { scenario: id, at, open }
}

/** Whether a source text holds a scenario: by the line that it was generated with, or by its declared id. */
export function holdsScenario(text: string | null, { id }: Pick<PlanScenario, 'id'>): boolean {
  if (text === null) return false
  const declared = new RegExp(String.raw`\bid:\s*['"\`]${id}['"\`]`)
  return declared.test(text) || originsIn(text).some(({ scenario }) => scenario === id)
}

function hasDrifted(text: string | null, { id, digest }: PlanScenario): boolean {
  const origin = originsIn(text ?? '').find(({ scenario }) => scenario === id)
  return origin !== undefined && origin.digest !== digest
}

/** `test/orders.new.scenario.ts` beside `test/orders.scenario.ts`. */
function siblingOf(file: string): string {
  const { dir, base } = path.parse(file)
  const [name, ...rest] = base.split('.')
  return path.join(dir, [name, 'new', ...rest].join('.'))
}

function draftOf(files: Map<string, Draft>, file: string): Draft {
  const known = files.get(file)
  if (known !== undefined) return known
  const draft = new Draft(file, existsSync(file) ? readFileSync(file, 'utf8') : null)
  files.set(file, draft)
  return draft
}

/** A file as it is going to be. */
class Draft {
  readonly #file: string
  readonly #before: string | null
  readonly #scenarios: string[] = []
  #text: string | null

  constructor(file: string, before: string | null) {
    this.#file = file
    this.#before = before
    this.#text = before
  }

  get text(): string | null {
    return this.#text
  }

  /** Adds a scenario below what there is. */
  add(scenario: PlanScenario, request: AuthorRequest): void {
    this.#scenarios.push(scenario.id)
    const language = scenario.language?.text
    if (!isGenerated(language)) {
      const text = verbatim(scenario.skeleton?.text ?? '', language ?? '', origin(scenario, request))
      this.#text = this.#text === null ? text : below(this.#text, text)
      return
    }
    const code = codeOf(scenario, request)
    this.#text = this.#text === null ? newFile([code]) : addedTo(this.#text, code)
  }

  /** Makes a file that holds nothing but this scenario. */
  replace(scenario: PlanScenario, request: AuthorRequest): void {
    this.#text = null
    this.add(scenario, request)
  }

  change(): FileChange[] {
    if (this.#text === null || this.#text === this.#before) return []
    return [{ file: this.#file, before: this.#before, after: this.#text, scenarios: this.#scenarios }]
  }
}

function below(text: string, added: string): string {
  return `${text}${separation(text)}${added.replaceAll('\n', lineEnd(text))}`
}

function codeOf(scenario: PlanScenario, request: AuthorRequest): ScenarioCode {
  const { lines, imports } = scenarioCode(request.plan, scenario)
  return { lines: [comment(origin(scenario, request), commentMark('javascript')), ...lines], imports }
}

function origin({ id, digest }: PlanScenario, { planPath }: AuthorRequest): string {
  return originLine({ plan: planPath, scenario: id, digest })
}
