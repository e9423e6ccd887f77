import { both, drop, swap } from './edits.js'

/** An edit of the sample plan by which it breaks one rule and no other. */
export interface BrokenPlan {
  readonly code: string
  /** What is done to it, in words. */
  readonly how: string
  edit(source: string): string
  /** What it breaks besides, as it cannot be told otherwise. */
  readonly besides: readonly string[]
}

const broken = (
  code: string,
  how: string,
  edit: (source: string) => string,
  besides: readonly string[] = [],
): BrokenPlan => ({ code, how, edit, besides })

export const brokenPlans: readonly BrokenPlan[] = [
  broken('section-missing', 'no section 8', drop(/## 8\. [\s\S]*?(?=## 9\.)/)),
  broken('section-empty', 'nothing below section 9', drop(/None\.\n$/)),
  broken('mode-unknown', 'a mode that there is not', swap('project-wide', 'whole thing')),
  broken(
    'summary-too-long',
    'a summary of forty lines',
    swap('## 1. Scope', `${'One more line.\n\n'.repeat(40)}## 1. Scope`),
  ),
  broken('change-undescribed', 'a change without its revisions', swap('project-wide', 'change-scoped')),
  broken('claim-incomplete', 'a claim without a source', swap(' docs/operations.md ', ' ')),
  broken('category-unknown', 'a category that there is not', swap('| liveness | docs', '| lifeness | docs')),
  broken('id-duplicate', 'two scenarios with one id', (source) => {
    const second = /### S2: [\s\S]*?(?=### S3)/.exec(source)?.[0] ?? ''
    return swap('### S3:', `${second}### S3:`)(source)
  }),
  broken(
    'id-duplicate',
    'a section that is there twice',
    swap('## 9. ', '## 8. Again\n\nNothing.\n\n## 9. '),
  ),
  broken('id-duplicate', 'two arms with one name', swap('| Field | api | export |', '| Field | api | api |')),
  broken(
    'id-malformed',
    'an arm whose name no test can have',
    swap('| Field | api |', '| Field | admin UI |'),
  ),
  broken(
    'id-malformed',
    'a scenario without an id',
    swap('## 7b. ', '### tenants_see_their_own_orders\n\n- **Falsifies:** C3\n\n## 7b. '),
  ),
  broken(
    'id-malformed',
    'a hypothesis without an id',
    swap('| H1 | A leader', '| | It fails | C1 | safety |\n| H1 | A leader'),
  ),
  broken(
    'reference-unknown',
    'a hypothesis where a claim is due',
    swap('- **Falsifies:** C1\n', '- **Falsifies:** C1, H1\n'),
  ),
  broken('reference-unknown', 'an arm about no claim', swap('| Claim | C3 | C3 |', '| Claim | C3 | C30 |')),
  broken(
    'reference-unknown',
    'a scenario closes what is not there',
    swap('H1, H2, H5\n', 'H1, H2, H5, H77\n'),
  ),
  broken(
    'claim-without-scenario',
    'a claim that nothing falsifies',
    both(
      swap('| C3 | A tenant', '| C4 | Orders survive | liveness | docs/x.md | no |\n| C3 | A tenant'),
      swap('| C3 | H6 | none', '| C4 | H3 | none | not covered | no test | S2 |\n| C3 | H6 | none'),
      swap('| C3 | H6 | S3 |', '| C4 | H3 | S2 | enough |\n| C3 | H6 | S3 |'),
    ),
  ),
  broken('hypothesis-without-claim', 'a hypothesis about nothing', swap('flap | C2 |', 'flap | |')),
  broken('hypothesis-without-scenario', 'a hypothesis that nothing closes', swap('H3, H4\n', 'H3\n')),
  broken(
    'failure-mode-uncovered',
    'no word of upgrades',
    drop(/Upgrade and rollback: N\/A because [^.]*\. /),
  ),
  broken(
    'failure-mode-uncovered',
    'an N/A without a reason',
    swap('N/A because there is only one version in service', 'N/A because …'),
  ),
  broken(
    'failure-mode-uncovered',
    'a mode that only a pitfall speaks of',
    both(
      drop(/Configuration: N\/A because [^.]*\. /),
      swap(
        'Upgrade and',
        '| Pitfall | Applies |\n| -- | -- |\n| Configuration that differs | n |\n\nUpgrade and',
      ),
    ),
  ),
  broken('system-model-incomplete', 'no word of tenants', drop(/- \*\*Tenancy:\*\*.*\n/)),
  broken(
    'inventory-missing',
    'tests that are not named',
    swap(
      /## 3\. Existing test inventory[\s\S]*?(?=## 4\.)/,
      '## 3. Existing test inventory\n\nThere are some.\n\n',
    ),
  ),
  broken('coverage-missing', 'no row for a claim', drop(/\| C3 \| H6 \| none .*\n/)),
  broken(
    'covered-by-nothing',
    'a hypothesis that no test covers is called covered',
    swap('| C1 | H2 | none | not covered | no test', '| C1 | H2 | none | covered | no test'),
  ),
  broken('coverage-missing', 'no row for a hypothesis', drop(/\| C1 \| H4 \| none.*\n/)),
  broken(
    'coverage-verdict-unknown',
    'a verdict of its own',
    swap('| partial | no fault', '| mostly | no fault'),
  ),
  broken('gap-without-scenario', 'a gap that is not named', swap('| no test | S3 |', '| | S3 |')),
  broken(
    'covered-by-nothing',
    'a hypothesis that no test covers is called partly covered',
    swap('| C1 | H1 | test/store.test.ts | partial', '| C1 | H1 | none | partial'),
  ),
  broken(
    'reference-unknown',
    'a scenario that closes a scenario',
    swap('**Closes:** H3, H4\n', '**Closes:** H3, H4, S1\n'),
  ),
  broken('gap-without-scenario', 'a gap that nothing closes', swap('| no test | S3 |', '| no test | |')),
  broken(
    'technique-unknown',
    'a technique that the catalog does not have',
    both(
      swap('| property-and-metamorphic |', '| wishful-thinking |'),
      swap('**Technique:** property-and-metamorphic', '**Technique:** wishful-thinking'),
    ),
  ),
  broken('technique-incomplete', 'a technique without its cost', swap('| seconds a run |', '| |')),
  broken(
    'technique-incomplete',
    'techniques in prose',
    both(
      swap(/\| Technique \| Hypotheses[\s\S]*?(?=## 6b)/, 'Such as come to mind.\n\n'),
      swap(/\*\*Technique:\*\* [\w-]+/g, '**Technique:** FILL IN'),
    ),
    ['to-fill'],
  ),
  broken('environment-incomplete', 'no version floor', swap('| 20.10 |', '| |')),
  broken(
    'environment-incomplete',
    'requirements in prose',
    swap(/\| Requirement \| Version[\s\S]*?(?=## 7\.)/, 'Docker 20.10.\n\n'),
  ),
  broken('environment-unused', 'a requirement that nobody has', swap('| S1, S2, S3 | https', '| | https')),
  broken('scenario-incomplete', 'a scenario without a workload', drop(/- \*\*Workload:\*\* 4 clients.*\n/)),
  broken(
    'name-after-set-up',
    'a scenario called after its nodes',
    swap(/leader_elected_within_five_seconds_under_pauses/g, 'three_node_chaos'),
  ),
  broken(
    'technique-unselected',
    'a technique that section 6 does not select',
    swap('**Technique:** chaos-and-fault-injection', '**Technique:** fuzzing'),
  ),
  broken(
    'fault-unknown',
    'a fault that there is not',
    swap('**Faults:** pause of the leader', '**Faults:** mayhem'),
  ),
  broken('oracle-missing', 'a scenario without an oracle', drop(/- \*\*Oracle:\*\* slo.*\n/)),
  broken(
    'oracle-not-checkable',
    'an oracle that only a person can judge',
    swap(/- \*\*Oracle:\*\* slo.*\n/, '- **Oracle:** the logs look fine\n'),
  ),
  broken(
    'oracle-missing',
    'an oracle that is put off',
    swap(/- \*\*Oracle:\*\* slo.*\n/, '- **Oracle:** TBD\n'),
  ),
  broken(
    'oracle-not-checkable',
    'an arm that only a person can judge',
    swap('| invariant over the rows exported |', '| the file looks right |'),
  ),
  broken(
    'exit-criteria-missing',
    'exit criteria that are none',
    swap(/- \*\*Exit criteria:\*\* three.*\n/, '- **Exit criteria:** n/a\n'),
  ),
  broken(
    'exit-criteria-missing',
    'a scenario without exit criteria',
    drop(/- \*\*Exit criteria:\*\* three.*\n/),
  ),
  broken(
    'budget-missing',
    'a budget that is none',
    swap('| smoke | 5s | 1 | 1 | 1 |', '| smoke | a while | some | some | one |'),
  ),
  broken(
    'hardening-not-above-smoke',
    'hardening with the nodes of smoke',
    swap('| smoke | 5s | 1 | 1 | 1 |', '| smoke | 5s | 3 | 1 | 1 |'),
  ),
  broken(
    'budget-missing',
    'a tier without seeds',
    swap('| smoke | 5s | 1 | 1 | 1 |', '| smoke | 5s | 1 | 1 | 0 |'),
  ),
  broken(
    'budget-missing',
    'an arm without a budget',
    swap(/\| Minimum smoke budget \| 5s, 1 node, 1 fault, 1 seed/, '| Minimum smoke budget | short'),
  ),
  broken(
    'budget-missing',
    'no release tier, and no reason',
    swap(
      'not provided because there is no soak rig yet; revisit when the nightly rig exists | | |',
      'not provided; revisit when | | |',
    ),
  ),
  broken(
    'hardening-not-above-smoke',
    'an arm with the seeds of smoke',
    swap(/(Minimum hardening budget \| 30s, 3 nodes, 3 faults), 3 seeds/, '$1, 1 seed'),
  ),
  broken('release-undisclosed', 'no word of a release tier', drop(/\| release \| not provided.*\n/)),
  broken('target-missing', 'no target test file', drop(/- \*\*Target test file:\*\* `test\/election.*\n/)),
  broken(
    'target-outside',
    'a target outside of the repository',
    swap('`test/election.scenario.ts`', '`../election.scenario.ts`'),
  ),
  broken(
    'skeleton-missing',
    'no language of the skeleton',
    drop(/- \*\*Skeleton language:\*\* typescript\n/),
  ),
  broken(
    'model-block-missing',
    'a serious scenario without a block 7.M',
    drop(/#### 7\.M Model[\s\S]*?(?=```ts)/),
  ),
  broken(
    'model-block-incomplete',
    'no word of ambiguous outcomes',
    drop(/- \*\*Ambiguous outcomes:\*\*.*\n/),
  ),
  broken(
    'model-block-incomplete',
    'faults whose landing nothing proves',
    swap(/(\*\*Nemesis and landing:\*\* asymmetric-partition, kill);.*/, '$1 of the leader'),
  ),
  broken('model-unknown', 'a misspelt model', swap('under test:** register', 'under test:** registre')),
  broken(
    'checker-unknown',
    'a misspelt checker',
    swap('**Checker:** linearizable,', '**Checker:** linearisable,'),
  ),
  broken(
    'checker-unfit',
    'a checker of queues for a register',
    swap('**Checker:** linearizable, no-lost-ack', '**Checker:** total-queue'),
  ),
  broken('arms-missing', 'a boundary without arms', drop(/#### 7\.M\.S Arms[\s\S]*?(?=```ts)/)),
  broken('arm-incomplete', 'no word of delayed paths', drop(/\| Delayed paths .*\n/)),
  broken('arm-incomplete', 'a path that is none, and not why', swap('none: the API answers at once', 'none')),
  broken(
    'arm-incomplete',
    'an oracle that is put off',
    swap('| invariant over the rows exported |', '| TBD |'),
  ),
  broken(
    'negative-control-missing',
    'an arm without a negative control',
    swap("another's order is not in the file |", 'none |'),
  ),
  broken(
    'arm-too-wide',
    'an arm with four surfaces',
    swap('| HTTP API |', '| HTTP API, CLI, SDK, admin console |'),
  ),
  broken(
    'arm-too-wide',
    'a scenario without arms about four categories',
    swap(
      '| safety, durability | docs/consistency',
      '| safety, durability, ordering, isolation | docs/consistency',
    ),
  ),
  broken(
    'arm-too-wide',
    'an arm with two oracles',
    swap('| invariant over the rows exported |', '| invariant over the rows; p99 below 5 ms |'),
  ),
  broken('adequacy-missing', 'no threats', swap('| C3 | H6 | S3 | both', '| C3 | | S3 | both')),
  broken('adequacy-missing', 'no argument for a claim', drop(/\| C2 \| H3 \| S2 \| elections.*\n/)),
  broken('residual-incomplete', 'a residue nobody will look at again', swap('| the rig exists |', '| |')),
  broken('absolute-claim', 'a promise', swap('we have not observed', 'it is impossible to see')),
  broken(
    'absolute-claim',
    'a promise behind careful words',
    swap('Untested\nsurfaces:', 'There is no guarantee.\nOrders will never be lost. Untested surfaces:'),
  ),
  broken(
    'untested-unnamed',
    'a list of untested surfaces with nothing in it',
    swap('surfaces: the web front end.', 'surfaces:'),
  ),
  broken(
    'untested-unnamed',
    'no word of what is not tested',
    drop(/ Untested\nsurfaces: the web front end\./),
  ),
  broken(
    'to-fill',
    'a place that nobody filled',
    swap('an hour for each tenant.', 'an hour. FILL IN: for whom?'),
  ),
  ...[
    'everything works as expected',
    'the service stays up',
    'health checks are green',
    'no errors in the logs',
    'the order service is checked manually',
    'somebody watches the dashboard',
    'the orders go through',
    'no exceptions',
  ].map((text) =>
    broken(
      'oracle-not-checkable',
      `the oracle "${text}"`,
      swap(/- \*\*Oracle:\*\* slo.*\n/, `- **Oracle:** ${text}\n`),
    ),
  ),
  ...[
    'five_node_partition',
    'kill_leader_test',
    'orders_chaos_test',
    'NetworkPartition',
    '3_nodes_under_load',
    'smoke',
  ].map((name) =>
    broken(
      'name-after-set-up',
      `the name ${name}`,
      swap(/leader_elected_within_five_seconds_under_pauses/g, name),
    ),
  ),
  ...[
    'Orders cannot be lost.',
    'Data loss is ruled out.',
    'The store is safe.',
    'C1 is proven.',
    'It always holds.',
  ].map((text) =>
    broken(
      'absolute-claim',
      `the statement "${text}"`,
      swap('If every scenario earns', `${text} If every scenario earns`),
    ),
  ),
]
