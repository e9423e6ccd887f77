import { modelNamed } from '../../../models/named.js'
import type { BudgetTier, ReleaseDisclosure } from '../../../verdict/budget.js'
import { checkerVocabulary, faultVocabulary, modelVocabulary, namedIn } from '../../lint/names.js'
import { isExplicitNone } from '../../lint/rule.js'
import type { Plan, PlanArm, PlanClaim, PlanScenario } from '../../plan.js'
import type { Text } from '../../position.js'
import { checkerCall, faultCall, modelCall, toWrite } from './calls.js'
import { comment, indent, literal } from './text.js'

/** Source text of one scenario, and what it imports. */
export interface ScenarioCode {
  readonly lines: readonly string[]
  /** Names by the module that they come from. */
  readonly imports: ReadonlyMap<string, ReadonlySet<string>>
}

/**
 * A scenario of a plan as TypeScript that compiles and is collected as it stands. It is a `todo`, so its verdict is
 * NOT-RUN until somebody has filled it in.
 */
export function scenarioCode(plan: Pick<Plan, 'claims'>, scenario: PlanScenario): ScenarioCode {
  const needs = new Imports()
  needs.add('vitest-nemesis', 'claim', 'processes', 'scenario', 'system', 'workload')
  const models = namedIn(scenario.model?.model?.text ?? '', modelVocabulary).known
  const [model] = models
  const lines = [
    ...remarks(scenario),
    `scenario.todo(${literal(scenario.name)}, {`,
    ...indent([
      `id: ${literal(scenario.id)},`,
      'falsifies: [',
      ...indent(claimsOf(plan, scenario).map((claim) => `${claimCall(claim)},`)),
      '],',
      ...systemLines(scenario),
      ...modelLines(model, needs),
      ...workloadLines(scenario, model),
      ...nemesisLines(scenario, needs),
      ...checkerLines(scenario, needs),
      ...budgetLines(scenario),
      ...armLines(scenario, needs),
    ]),
    '})',
  ]
  return { lines, imports: needs.modules }
}

class Imports {
  readonly modules = new Map<string, Set<string>>()

  add(module: string, ...names: readonly string[]): void {
    const known = this.modules.get(module) ?? new Set()
    for (const name of names) known.add(name)
    this.modules.set(module, known)
  }
}

function remarks({ workload, faults, oracle, observability, exitCriteria }: PlanScenario): string[] {
  const told: readonly (readonly [string, Text | null])[] = [
    ['Workload', workload],
    ['Faults', faults],
    ['Oracle', oracle],
    ['Observability', observability],
    ['Exit criteria', exitCriteria],
  ]
  return [
    comment('To fill it in: write what says FILL IN, then take `.todo` away.'),
    ...told.flatMap(([label, text]) => (text === null ? [] : [comment(`${label}: ${text.text}`)])),
  ]
}

function claimsOf({ claims }: Pick<Plan, 'claims'>, { falsifies }: PlanScenario): PlanClaim[] {
  const wanted = new Set(falsifies.map(({ id }) => id))
  return claims.filter(({ id }) => wanted.has(id))
}

function claimCall({ id, text, categories, source, inferred }: PlanClaim): string {
  const options = [
    `categories: [${categories.map((category) => literal(category.text)).join(', ')}]`,
    ...(source === null ? [] : [`source: ${literal(source.text)}`]),
    ...(inferred !== null && /^y/i.test(inferred.text) ? ['inferred: true'] : []),
  ]
  return `claim(${literal(id)}, ${literal(text)}, { ${options.join(', ')} })`
}

function systemLines({ budgets }: PlanScenario): string[] {
  const nodes = budgets?.hardening?.nodes ?? 3
  return [
    comment(
      'FILL IN the system: how a node is started, how a client connects, when it serves and when it is at rest.',
    ),
    "system: system('FILL IN', {",
    ...indent([
      `nodes: processes({ count: ${nodes}, ports: [7000], command: ['FILL IN'] }),`,
      `connect: ${toWrite('connect a client')},`,
      `ready: ${toWrite('resolve when the system serves')},`,
      `quiesced: ${toWrite('resolve when nothing is in flight and replicas agree')},`,
    ]),
    '}),',
  ]
}

function modelLines(model: string | undefined, needs: Imports): string[] {
  if (model === undefined) return []
  const { factory, code } = modelCall(model)
  needs.add('vitest-nemesis/models', factory)
  return [`model: ${code},`]
}

function workloadLines({ workload }: PlanScenario, model: string | undefined): string[] {
  const clients = /\b(\d+) clients?\b/.exec(workload?.text ?? '')?.[1] ?? '4'
  const types = model === undefined ? ['read', 'write'] : modelNamed(model).operations
  return [
    'workload: workload({',
    ...indent([
      `clients: ${clients},`,
      'operations: {',
      ...indent(types.map((type) => `${property(type)}: { run: ${toWrite(`perform ${type}`)} },`)),
      '},',
    ]),
    '}),',
  ]
}

function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name)
}

function nemesisLines({ faults }: PlanScenario, needs: Imports): string[] {
  const names = namedIn(faults?.text ?? '', faultVocabulary).known
  const calls = names.map((name, index) => faultCall(name, { at: `${1 + index * 4}s` }))
  if (calls.some((call) => !call.startsWith('//'))) needs.add('vitest-nemesis', 'nemesis')
  return calls.length === 0 ? [] : ['nemesis: [', ...indent(calls), '],']
}

function checkerLines({ oracle, model }: PlanScenario, needs: Imports): string[] {
  const named = [model?.checker?.text ?? '', oracle?.text ?? ''].map(
    (text) => namedIn(text, checkerVocabulary).known,
  )
  const names = named.find((known) => known.length > 0) ?? ['invariant']
  const calls = names.flatMap((name) => checkerCall(name) ?? [])
  needs.add('vitest-nemesis/checkers', ...calls.map(({ factory }) => factory))
  return ['checkers: [', ...indent(calls.map(({ code }) => `${code},`)), '],']
}

function budgetLines({ budgets }: PlanScenario): string[] {
  if (budgets === null || budgets.smoke === null) return []
  const tiers = [
    `smoke: ${tierCode(budgets.smoke)},`,
    ...(budgets.hardening === null ? [] : [`hardening: ${tierCode(budgets.hardening)},`]),
    ...(budgets.release === null ? [] : [`release: ${tierCode(budgets.release)},`]),
  ]
  return ['budget: {', ...indent(tiers), '},']
}

function tierCode(tier: BudgetTier | ReleaseDisclosure): string {
  if ('notProvided' in tier) {
    return `{ notProvided: ${literal(tier.notProvided)}, revisitWhen: ${literal(tier.revisitWhen)} }`
  }
  const { duration, nodes, faults, seeds } = tier
  return `{ duration: ${literal(String(duration))}, nodes: ${nodes}, faults: ${faults}, seeds: ${seeds} }`
}

function armLines({ arms }: PlanScenario, needs: Imports): string[] {
  if (arms.length === 0) return []
  needs.add('vitest-nemesis', 'control')
  return ['arms: {', ...indent(arms.flatMap(armCode)), '},']
}

function armCode({ name, fields }: PlanArm): string[] {
  return [
    `${property(name)}: {`,
    ...indent([
      `surfaces: ${list(fields.surfaces)},`,
      `keys: ${list(fields.keys)},`,
      'controls: [',
      ...indent([
        ...controls('positive', fields.positiveControls),
        ...controls('negative', fields.negativeControls),
      ]),
      '],',
      `confusable: { none: 'FILL IN: try a control with ${inOneLine(fields.confusableIdentifiers)}' },`,
      `asyncPaths: ${paths(fields.delayedPaths)},`,
      `backgroundPaths: ${paths(fields.backgroundPaths)},`,
      `observabilityPaths: ${paths(fields.observabilityPaths)},`,
    ]),
    '},',
  ]
}

function controls(kind: 'positive' | 'negative', text: Text | null): string[] {
  const name = literal(text?.text ?? `FILL IN: a ${kind} control`)
  const parts =
    kind === 'positive'
      ? [`run: ${toWrite('do what must be possible')},`, 'holds: () => false,']
      : [`attempt: ${toWrite('try what is forbidden')},`, 'refused: () => false,', 'observed: () => null,']
  return [`control.${kind}(${name}, {`, ...indent(parts), '}),']
}

function list(text: Text | null): string {
  const items = (text?.text ?? 'FILL IN').split(/[,;]/).map((item) => item.trim())
  return `[${items
    .filter((item) => item !== '')
    .map(literal)
    .join(', ')}]`
}

function paths(text: Text | null): string {
  if (text !== null && isExplicitNone(text.text)) return `{ none: ${literal(text.text)} }`
  return list(text)
}

function inOneLine(text: Text | null): string {
  return literal(text?.text ?? 'look-alikes').slice(1, -1)
}
