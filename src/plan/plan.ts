import type { BudgetTier, ReleaseDisclosure } from '../verdict/budget.js'
import type { PlanTable } from './markdown/tables.js'
import type { Position, Reference, Text } from './position.js'
import type { SectionId } from './sections.js'

/** A plan document as data, with the place of everything in it. What is not there is null or empty: see `nemesis plan check`. */
export interface Plan {
  /** Path as given. */
  readonly file: string
  readonly title: Text | null
  /** `change-scoped`: a commit, pull request or diff. `project-wide`: the whole system. */
  readonly mode: Text | null
  /** The revisions of a change-scoped plan. */
  readonly change: Text | null
  /** Changes with every edit but that of white space at the ends of lines. */
  readonly digest: string
  readonly sections: ReadonlyMap<SectionId, Section>
  /** Sections that stand there a second time; nothing of them is read. */
  readonly repeated: readonly Section[]
  readonly claims: readonly PlanClaim[]
  readonly hypotheses: readonly Hypothesis[]
  readonly coverage: readonly CoverageRow[]
  readonly techniques: readonly TechniqueRow[]
  readonly environment: readonly EnvironmentRow[]
  readonly scenarios: readonly PlanScenario[]
  /** Headings of what has the fields of a scenario and no id. */
  readonly unnumbered: readonly Text[]
  readonly adequacy: readonly AdequacyRow[]
  readonly residual: readonly ResidualRow[]
}

export interface Section {
  readonly id: SectionId
  readonly at: Position
  readonly title: string
  /** What a reader sees of it, its own heading left out. */
  readonly text: string
  /** The same in pieces, each with its place. */
  readonly blocks: readonly Text[]
  /** Lines that are not blank, the heading left out. */
  readonly lines: number
  readonly tables: readonly PlanTable[]
  /** True when it has a list. */
  readonly lists: boolean
}

export interface PlanClaim {
  readonly at: Position
  readonly id: string
  readonly text: string
  readonly categories: readonly Text[]
  readonly source: Text | null
  readonly inferred: Text | null
}

export interface Hypothesis {
  readonly at: Position
  readonly id: string
  readonly text: string
  readonly claims: readonly Reference[]
  /** The failure mode it is about, such as liveness; null when the plan does not say. */
  readonly category: Text | null
}

export interface CoverageRow {
  readonly at: Position
  readonly claims: readonly Reference[]
  readonly hypotheses: readonly Reference[]
  readonly existing: Text | null
  /** `covered`, `partial` or `not covered`. */
  readonly verdict: Text | null
  readonly gap: Text | null
  readonly scenarios: readonly Reference[]
}

export interface TechniqueRow {
  readonly at: Position
  readonly technique: Text | null
  readonly hypotheses: readonly Reference[]
  readonly catches: Text | null
  readonly reference: Text | null
  readonly cost: Text | null
}

export interface EnvironmentRow {
  readonly at: Position
  readonly requirement: Text | null
  readonly floor: Text | null
  /** The scenarios that have it, as they are written. */
  readonly used: Text | null
  readonly scenarios: readonly Reference[]
  readonly install: Text | null
}

export interface AdequacyRow {
  readonly at: Position
  readonly claims: readonly Reference[]
  readonly threats: Text | null
  readonly scenarios: readonly Reference[]
  readonly argument: Text | null
}

export interface ResidualRow {
  readonly at: Position
  readonly what: Text | null
  readonly whyUncovered: Text | null
  readonly whyAcceptable: Text | null
  readonly revisitWhen: Text | null
}

export interface PlanScenario {
  readonly at: Position
  readonly id: string
  readonly name: string
  readonly falsifies: readonly Reference[]
  /** Hypotheses or rows of the coverage matrix whose gap it closes. */
  readonly closes: readonly Reference[]
  readonly technique: Text | null
  readonly workload: Text | null
  readonly faults: Text | null
  readonly oracle: Text | null
  readonly observability: Text | null
  readonly exitCriteria: Text | null
  readonly budgets: PlanBudgets | null
  /** Path of the test file, relative to the project's root. */
  readonly target: Text | null
  readonly language: Text | null
  readonly skeleton: Text | null
  readonly model: ModelBlock | null
  readonly arms: readonly PlanArm[]
  /**
   * Of what a reader sees of the scenario's part of the document: tells whether a test was generated from what stands there
   * now. Another way to write the same, such as a table that a formatter has aligned, does not change it.
   */
  readonly digest: string
}

export interface PlanBudgets {
  readonly at: Position
  readonly smoke: BudgetTier | null
  readonly hardening: BudgetTier | null
  readonly release: BudgetTier | ReleaseDisclosure | null
  /** What stands there and cannot be read as a tier, in words. */
  readonly problems: readonly Text[]
}

/** Section 7.M: model, history and checker of a serious scenario. */
export interface ModelBlock {
  readonly at: Position
  readonly model: Text | null
  readonly history: Text | null
  readonly checker: Text | null
  readonly nemesis: Text | null
  readonly ambiguous: Text | null
  readonly reduction: Text | null
}

/** The thirteen fields of the boundary matrix of section 7.M.S, by the names that the plugin uses. */
export const armFields = [
  'claim',
  'keys',
  'surfaces',
  'operations',
  'positiveControls',
  'negativeControls',
  'confusableIdentifiers',
  'delayedPaths',
  'backgroundPaths',
  'observabilityPaths',
  'oracle',
  'smokeBudget',
  'hardeningBudget',
] as const
export type ArmField = (typeof armFields)[number]

export interface PlanArm {
  readonly at: Position
  readonly name: string
  /** Those that its field names. */
  readonly claims: readonly Reference[]
  readonly fields: Readonly<Record<ArmField, Text | null>>
}
