import { categories, type Category } from '../../../claim/claim.js'
import type { TechniqueId } from '../../../catalog/technique.js'
import type { ClaimProposal } from '../../../environment/toolbox/claims/proposal.js'
import type { Findings } from '../findings.js'
import type { WalkedPitfall } from '../pitfall-signs.js'

/** A claim that a person has to confirm; without a proposal, one that a person has to state. */
export interface OutlinedClaim {
  readonly id: string
  readonly category: Category
  readonly proposal: ClaimProposal | null
}

export interface OutlinedHypothesis {
  readonly id: string
  readonly claims: readonly OutlinedClaim[]
  readonly mode: string
  /** Null where the plan asks for one of this failure mode. */
  readonly walked: WalkedPitfall | null
}

/** One scenario for the claims of a category, as their checkers differ. */
export interface OutlinedScenario {
  readonly id: string
  readonly category: Category
  readonly claims: readonly OutlinedClaim[]
  readonly hypotheses: readonly OutlinedHypothesis[]
  readonly technique: TechniqueId
}

/** What refers to what in a scaffold: each claim has a scenario, each hypothesis a claim and a scenario. */
export interface Outline {
  readonly claims: readonly OutlinedClaim[]
  readonly hypotheses: readonly OutlinedHypothesis[]
  readonly scenarios: readonly OutlinedScenario[]
  /** Proposals that the table of claims has no room for. */
  readonly further: readonly ClaimProposal[]
}

const mostDocuments = 8
const mostErrors = 4
const mostPitfalls = 8

const modes = [
  'correctness',
  'durability',
  'liveness',
  'partial failure',
  'idempotency and replay',
  'upgrade and rollback',
  'configuration',
  'performance and fairness',
] as const

const modeOf: Readonly<Record<Category, (typeof modes)[number]>> = {
  safety: 'correctness',
  isolation: 'correctness',
  ordering: 'correctness',
  membership: 'correctness',
  boundary: 'correctness',
  durability: 'durability',
  liveness: 'liveness',
  operational: 'configuration',
  idempotency: 'idempotency and replay',
  'performance-slo': 'performance and fairness',
  fairness: 'performance and fairness',
}

const techniqueFor: Readonly<Record<Category, TechniqueId>> = {
  safety: 'jepsen-and-elle',
  isolation: 'jepsen-and-elle',
  ordering: 'jepsen-and-elle',
  idempotency: 'jepsen-and-elle',
  membership: 'jepsen-and-elle',
  durability: 'crash-recovery-and-upgrade',
  liveness: 'chaos-and-fault-injection',
  operational: 'chaos-and-fault-injection',
  'performance-slo': 'performance-and-benchmarking',
  boundary: 'property-and-metamorphic',
  fairness: 'property-and-metamorphic',
}

/** Lays out a scaffold from what a repository tells of itself. */
export function outlineOf({ proposals, pitfalls }: Findings): Outline {
  const documents = proposals.filter(({ from }) => from === 'document').slice(0, mostDocuments)
  const errors = proposals.filter(({ from }) => from === 'error type').slice(0, mostErrors)
  const taken = new Set([...documents, ...errors])
  const chosen: (ClaimProposal | null)[] = proposals.filter((proposal) => taken.has(proposal))
  const claims = (chosen.length === 0 ? [null] : chosen).map((proposal, index): OutlinedClaim => ({
    id: `C${index + 1}`,
    category: proposal?.category ?? 'safety',
    proposal,
  }))
  const hypotheses = hypothesesOf(claims, pitfalls)
  return {
    claims,
    hypotheses,
    scenarios: scenariosOf(claims, hypotheses),
    further: proposals.filter((proposal) => !taken.has(proposal)),
  }
}

type Draft = Omit<OutlinedHypothesis, 'id'>

function hypothesesOf(
  claims: readonly OutlinedClaim[],
  pitfalls: readonly WalkedPitfall[],
): OutlinedHypothesis[] {
  const drafts: Draft[] = pitfalls
    .filter(({ seen }) => seen !== null)
    .flatMap((walked) => {
      const category = walked.pitfall.categories.find((one) => claims.some((claim) => claim.category === one))
      if (category === undefined) return []
      const broken = claims.filter((claim) => claim.category === category)
      return [{ claims: broken, mode: modeOf[category], walked }]
    })
    .slice(0, mostPitfalls)
  for (const category of categories) {
    const own = claims.filter((claim) => claim.category === category)
    if (own.length === 0 || drafts.some((draft) => draft.claims[0]?.category === category)) continue
    drafts.push({ claims: own, mode: modeOf[category], walked: null })
  }
  for (const mode of modes) {
    if (drafts.some((draft) => draft.mode === mode)) continue
    drafts.push({ claims, mode, walked: null })
  }
  return drafts.map((draft, index) => ({ id: `H${index + 1}`, ...draft }))
}

function scenariosOf(
  claims: readonly OutlinedClaim[],
  hypotheses: readonly OutlinedHypothesis[],
): OutlinedScenario[] {
  const present = categories.filter((category) => claims.some((claim) => claim.category === category))
  return present.map((category, index) => ({
    id: `S${index + 1}`,
    category,
    claims: claims.filter((claim) => claim.category === category),
    hypotheses: hypotheses.filter((one) => one.claims.some((claim) => claim.category === category)),
    technique: techniqueFor[category],
  }))
}

/** The scenarios that close a hypothesis: those of its claims. */
export function closingScenarios({ scenarios }: Outline, hypothesis: OutlinedHypothesis): string {
  return ids(scenarios.filter(({ hypotheses }) => hypotheses.includes(hypothesis)))
}

export function ids(items: readonly { readonly id: string }[]): string {
  return items.map(({ id }) => id).join(', ')
}
