import type { Category } from '../../claim/claim.js'
import { violationOf } from '../violation.js'
import type { FaultCategory } from '../../nemesis/fault.js'
import type { ScenarioRecord } from '../../session/record.js'
import { faults as taxonomy, type FaultName } from '../../nemesis/faults/index.js'
import type { BugTag, BugType, Classification, Severity } from '../../session/classification-record.js'

type Proposed = Pick<Classification, 'type' | 'tags' | 'severity'>

/**
 * Type, tags and severity of a finding by its claims, the faults that landed and what was observed; an author may know
 * better. Types and tags are those of the TaxDC study of Leesatapornwongsa et al. (ASPLOS 2016).
 */
export function propose(
  record: Pick<ScenarioRecord, 'claims' | 'model' | 'runs' | 'across' | 'checkers'>,
  { needsFault }: { readonly needsFault: boolean | null },
): Proposed {
  const categories = violatedCategories(record)
  const landed = record.runs.flatMap(({ faults }) => faults).filter((window) => window.landed)
  const faults = needsFault === false ? [] : [...new Set(landed.map(({ fault }) => fault))]
  return {
    type: typeOf(categories, faults),
    tags: tagsOf(
      categories,
      record.model,
      landed.map(({ target }) => target),
    ),
    severity: severityOf(categories, record.runs),
  }
}

/** What checkers of these patterns judge is how well it was served: objectives, a baseline, fairness. */
const metricPatterns = [4, 5, 14]
const metricCategories: readonly Category[] = ['liveness', 'performance-slo', 'operational', 'fairness']

/** Of what is claimed that which the violated checker is about; all of it where nothing of the kind is claimed. */
function violatedCategories(
  record: Pick<ScenarioRecord, 'claims' | 'runs' | 'across' | 'checkers'>,
): ReadonlySet<Category> {
  const claimed = [...new Set(record.claims.flatMap((claim) => claim.categories))]
  const violated = violationOf(record)?.check.checker
  const checker = record.checkers.find(({ name }) => name === violated)
  if (checker === undefined) return new Set(claimed)
  const ofMetrics = metricPatterns.includes(checker.pattern)
  const about = claimed.filter((category) => metricCategories.includes(category) === ofMetrics)
  return new Set(about.length > 0 ? about : claimed)
}

const byFault: Readonly<Record<string, BugType>> = {
  'rolling-upgrade': 'upgrade',
  'mixed-version': 'upgrade',
  'config-divergence': 'config',
  'credential-divergence': 'config',
  'split-brain': 'partition',
  'rolling-restart': 'crash-recovery',
  latency: 'timing',
  bandwidth: 'timing',
  'slow-follower': 'timing',
  pause: 'timing',
}

const byCategory: Readonly<Record<FaultCategory, BugType>> = {
  process: 'crash-recovery',
  network: 'partition',
  storage: 'fault-handling',
  time: 'timing',
  cluster: 'fault-handling',
}

function typeOf(categories: ReadonlySet<Category>, faults: readonly string[]): BugType {
  if (categories.has('performance-slo') || categories.has('fairness')) return 'performance'
  const [first] = faults
  return first === undefined ? 'ordering' : (byFault[first] ?? byCategory[categoryOf(first)])
}

/** A fault of the user's own is taken for one of the cluster. */
function categoryOf(fault: string): FaultCategory {
  return Object.hasOwn(taxonomy, fault) ? taxonomy[fault as FaultName].category : 'cluster'
}

function tagsOf(
  categories: ReadonlySet<Category>,
  model: string | null,
  targets: readonly string[],
): BugTag[] {
  const tags = new Set<BugTag>()
  if (categories.has('durability')) tags.add('durability')
  if (categories.has('idempotency')) tags.add('idempotency')
  if (categories.has('liveness')) tags.add('liveness')
  if (['safety', 'isolation', 'ordering', 'boundary'].some((name) => categories.has(name as Category))) {
    tags.add('safety')
  }
  if (categories.has('membership')) tags.add('replication')
  if (
    model === 'lock' ||
    model === 'lease' ||
    targets.some((target) => /leader|primary|master/i.test(target))
  ) {
    tags.add('leadership')
  }
  return [...tags]
}

const losing: readonly Category[] = [
  'safety',
  'durability',
  'idempotency',
  'isolation',
  'ordering',
  'membership',
  'boundary',
]

function severityOf(categories: ReadonlySet<Category>, runs: ScenarioRecord['runs']): Severity {
  if (losing.some((category) => categories.has(category))) return 'P0'
  const stuck = runs.some(
    ({ faults, recoveryMs, error }) => faults.length > 0 && recoveryMs === null && error === null,
  )
  return stuck ? 'P1' : 'P2'
}
