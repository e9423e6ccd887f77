/** An edit of the sample plan by which it breaks one rule and no other. */
export interface BrokenPlan {
  readonly code: string
  /** What is done to it, in words. */
  readonly how: string
  edit(source: string): string
}

/** Throws when the plan has no such text, so that no edit silently does nothing. */
function swap(from: string | RegExp, to: string): (source: string) => string {
  return (source) => {
    const edited = source.replace(from, to)
    if (edited === source) throw new Error(`the plan has no ${String(from)}`)
    return edited
  }
}

const drop = (line: RegExp) => swap(line, '')

function both(...edits: readonly ((source: string) => string)[]): (source: string) => string {
  return (source) => edits.reduce((text, edit) => edit(text), source)
}

const broken = (code: string, how: string, edit: (source: string) => string): BrokenPlan => ({
  code,
  how,
  edit,
})

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
    'reference-unknown',
    'a scenario closes what is not there',
    swap('H1, H2, H5\n', 'H1, H2, H5, H77\n'),
  ),
  broken(
    'claim-without-scenario',
    'a claim that nothing falsifies',
    both(
      swap('| C3 | A tenant', '| C4 | Orders survive | liveness | docs/x.md | no |\n| C3 | A tenant'),
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
  broken('coverage-missing', 'no row for a hypothesis', drop(/\| C1 \| H4 \| none.*\n/)),
  broken(
    'coverage-verdict-unknown',
    'a verdict of its own',
    swap('| partial | no fault', '| mostly | no fault'),
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
  broken('adequacy-missing', 'no argument for a claim', drop(/\| C2 \| H3 \| S2 \| elections.*\n/)),
  broken('residual-incomplete', 'a residue nobody will look at again', swap('| the rig exists |', '| |')),
  broken('absolute-claim', 'a promise', swap('we have not observed', 'it is impossible to see')),
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
]
