import type { Paper, Tool } from './source.js'

export const techniqueIds = [
  'jepsen-and-elle',
  'deterministic-simulation',
  'chaos-and-fault-injection',
  'fuzzing',
  'formal-methods',
  'property-and-metamorphic',
  'performance-and-benchmarking',
  'crash-recovery-and-upgrade',
] as const
export type TechniqueId = (typeof techniqueIds)[number]

/** A way to look for what is wrong with a distributed system. */
export interface Technique {
  readonly id: TechniqueId
  readonly title: string
  /** What it is, in a sentence or two. */
  readonly summary: string
  readonly when: readonly string[]
  readonly findsWell: readonly string[]
  readonly misses: readonly string[]
  /** What of it this package does, and what it leaves to the tools. */
  readonly here: string
  readonly tools: readonly Tool[]
  readonly papers: readonly Paper[]
  /** What it takes, for a plan that has to choose. */
  readonly cost: string
  /** What a plan that uses it must say. */
  readonly checklist: readonly string[]
}
