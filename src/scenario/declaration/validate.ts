import { z } from 'zod'
import { suggestCheckers } from '../../checkers/suggest.js'
import { claimSchema } from '../../claim/claim.js'
import { DeclarationError } from '../../errors.js'
import { bugTags, bugTypes, severities } from '../../session/classification-record.js'
import { validateForbids } from '../../sensitivity/forbids.js'
import { isPlan, type FaultPlan } from '../../nemesis/schedule/plan.js'
import { auditNames } from '../../verdict/audits/audit.js'
import { validateBudget } from '../../verdict/tier.js'
import type { ScenarioSpec } from '../spec.js'
import { systemsOf } from './topologies.js'
import { problemsOf } from '../../problems.js'

const functionSchema = z.custom<unknown>((value) => typeof value === 'function', 'expected a function')

const durationSchema = z.union([
  z.number().nonnegative(),
  z.string().regex(/^\d+(\.\d+)?(ms|s|m|h)$/, "expected a duration such as '5s'"),
])

const tierSchema = z.strictObject({
  duration: durationSchema,
  nodes: z.int().positive(),
  faults: z.int().nonnegative(),
  seeds: z.int().positive(),
})

const systemSchema = z.object({
  name: z.string(),
  spec: z.object({ nodes: z.looseObject({ start: functionSchema }) }),
})

const checkerSchema = z.looseObject({ name: z.string(), check: functionSchema })

const workloadSchema = z.object({ spec: z.object({ operations: z.looseObject({}) }) })

const blameSchema = z.strictObject({
  relaxations: z
    .array(z.strictObject({ name: z.string().min(1), source: z.string().min(1), checker: checkerSchema }))
    .optional(),
  generator: workloadSchema.optional(),
  client: z.strictObject({ connect: functionSchema, close: functionSchema.optional() }).optional(),
})

const findingSchema = z.strictObject({
  type: z.enum(bugTypes).optional(),
  tags: z.array(z.enum(bugTags)).optional(),
  severity: z.enum(severities).optional(),
  suspectedCause: z.string().min(1).optional(),
  owner: z.string().min(1).optional(),
  nextAction: z.string().min(1).optional(),
})

const specSchema = z.strictObject({
  id: z.string().regex(/^[A-Za-z][\w.-]*$/, "expected a short id such as 'S1'"),
  falsifies: z.array(claimSchema).min(1, 'expected at least one claim'),
  system: systemSchema,
  topologies: z.array(systemSchema).min(1).optional(),
  model: z.looseObject({ name: z.string(), step: functionSchema }).optional(),
  workload: workloadSchema.optional(),
  nemesis: z
    .array(
      z.custom<FaultPlan>(
        isPlan,
        'expected nemesis(…), nemesis.sequence(…), nemesis.overlap(…) or nemesis.random(…)',
      ),
    )
    .optional(),
  checkers: z
    .array(checkerSchema)
    .min(1, 'expected at least one checker: without an oracle a run proves nothing'),
  budget: z
    .strictObject({
      smoke: tierSchema,
      hardening: tierSchema.optional(),
      release: z
        .union([
          tierSchema,
          z.strictObject({ notProvided: z.string().min(1), revisitWhen: z.string().min(1) }),
        ])
        .optional(),
    })
    .optional(),
  sometimes: z.array(z.string().min(1)).optional(),
  sensitivity: z
    .union([
      z.literal(false),
      z.strictObject({ mutants: z.int().positive().optional(), floor: z.number().min(0).max(1).optional() }),
    ])
    .optional(),
  waive: z.partialRecord(z.enum(auditNames), z.string().min(1, 'expected a reason')).optional(),
  reruns: z.int().nonnegative().optional(),
  reduce: z
    .strictObject({ runs: z.int().positive().optional(), within: durationSchema.optional() })
    .optional(),
  regression: z.string().min(1).optional(),
  blame: z.union([z.literal(false), blameSchema]).optional(),
  finding: findingSchema.optional(),
  seed: z.int().nonnegative().optional(),
})

/**
 * Checks a scenario's declaration at collection, before anything starts.
 * Throws DeclarationError that lists every field which is wrong, by its path.
 */
export function validateScenario(name: string, spec: unknown, hasBody: boolean): ScenarioSpec {
  const parsed = specSchema.safeParse(spec)
  const suggestion = suggestionFor(spec)
  if (suggestion !== null) {
    throw new DeclarationError(
      'scenario',
      `scenario('${name}'): checkers is empty or missing: without an oracle a run proves nothing`,
      { hint: `what fits, from 'vitest-nemesis/checkers': ${suggestion}` },
    )
  }
  if (!parsed.success) {
    throw new DeclarationError('scenario', `scenario('${name}'): ${problemsOf(parsed.error)}`, {
      hint: "factories make the parts: claim(), system(), workload(), nemesis(), and checkers from 'vitest-nemesis/checkers'",
    })
  }
  const scenario = spec as ScenarioSpec
  if (scenario.workload === undefined && !hasBody) {
    throw new DeclarationError('scenario', `scenario('${name}'): nothing drives the system`, {
      hint: 'give it a workload, or a body as the third argument',
    })
  }
  validateNames(name, scenario)
  validateTopologies(name, scenario)
  for (const checker of scenario.checkers) validateForbids(checker, `scenario('${name}'): ${checker.name}`)
  if (scenario.budget !== undefined) validateBudget(scenario.budget, `scenario('${name}'): budget`)
  return scenario
}

/**
 * What a checker reads from the live system, and what it makes of all runs together, is kept by its name. Others of one
 * name, such as two service level objectives, each judge a history by themselves.
 */
function validateNames(name: string, { checkers }: ScenarioSpec): void {
  const names = checkers.map((checker) => checker.name)
  const twice = checkers.find(
    (checker, index) =>
      (checker.collect ?? checker.acrossRuns) !== undefined &&
      names.some((other, at) => other === checker.name && at !== index),
  )
  if (twice === undefined) return
  throw new DeclarationError(
    'scenario',
    `scenario('${name}'): two of its checkers are both called '${twice.name}'`,
    { hint: 'their results could not be told apart: give the other one a scenario, or an arm, of its own' },
  )
}

/** Systems are told apart by their names, also in the names of files. */
function validateTopologies(name: string, scenario: ScenarioSpec): void {
  const names = systemsOf(scenario).map((system) => system.name.toLowerCase())
  const twice = names.find((one, index) => names.indexOf(one) !== index)
  if (twice === undefined) return
  throw new DeclarationError('scenario', `scenario('${name}'): two of its systems are called '${twice}'`, {
    hint: "each of `topologies` is a system with a name of its own: system('store-of-five', { … })",
  })
}

/** Checkers for a declaration that has none but is clear about its model and claims; null for any other. */
function suggestionFor(spec: unknown): string | null {
  const { checkers, falsifies, model } = (spec ?? {}) as Readonly<Record<string, unknown>>
  if (checkers !== undefined && !(Array.isArray(checkers) && checkers.length === 0)) return null
  const claims = z.array(claimSchema).min(1).safeParse(falsifies)
  const named = z.looseObject({ name: z.string() }).optional().safeParse(model)
  if (!claims.success || !named.success) return null
  const categories = [...new Set(claims.data.flatMap((claim) => claim.categories))]
  return suggestCheckers(named.data?.name ?? null, categories)
}
