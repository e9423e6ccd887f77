import { swap } from './edits.js'

/** An edit of the sample plan after which it is as good as before: a plan may be written in more than one way. */
interface GoodPlan {
  readonly how: string
  edit(source: string): string
}

const oracle = (text: string): GoodPlan => ({
  how: `the oracle "${text}"`,
  edit: swap(/- \*\*Oracle:\*\* slo.*\n/, `- **Oracle:** ${text}\n`),
})

const name = (text: string): GoodPlan => ({
  how: `the name ${text}`,
  edit: swap(/leader_elected_within_five_seconds_under_pauses/g, text),
})

const confidence = (text: string): GoodPlan => ({
  how: `the confidence statement "${text}"`,
  edit: swap('If every scenario earns', `${text} If every scenario earns`),
})

const budgets = (how: string, line: string): GoodPlan => ({
  how,
  edit: swap(/- \*\*Budgets:\*\* smoke: 5s.*\n/, `${line}\n`),
})

export const goodPlans: readonly GoodPlan[] = [
  { how: 'CRLF', edit: (source) => source.replaceAll('\n', '\r\n') },
  {
    how: 'comments and tags of HTML',
    edit: swap(
      '## 1. Scope',
      '<!-- it is impossible to fail -->\n\n<details>\n\nMore.\n\n</details>\n\n## 1. Scope',
    ),
  },
  {
    how: 'lettered sections one level below',
    edit: (source) => source.replaceAll(/^## (1b|1c|6b|7b|7c|7d)\./gm, '### $1.'),
  },
  { how: 'escaped pipes in a table', edit: swap('| no fault | S1 |', String.raw`| no \| few faults | S1 |`) },
  { how: 'ids in bold and in code', edit: swap('| C1 | H1 | test/store', '| **C1** | `H1` | test/store') },
  { how: 'a range of ids', edit: swap('H1, H2, H5\n', 'H1–H2, H5\n') },
  { how: 'requirements of all scenarios', edit: swap('| S1, S2, S3 | https', '| all | https') },
  {
    how: 'a scenario without a colon in its heading',
    edit: swap('### S2: leader', '### S2 leader'),
  },
  {
    how: 'fields of a scenario as lines of one paragraph',
    edit: swap('- **Falsifies:** C2\n- **Closes:** H3, H4\n', '**Falsifies:** C2\n**Closes:** H3, H4\n\n'),
  },
  {
    how: 'a block 7.M as a table',
    edit: (source) =>
      source.replace(
        /(#### 7\.M Model[^\n]*\n\n)((?:- .*\n)+)/,
        (_, heading: string, fields: string) =>
          `${heading}| Field | Value |\n| -- | -- |\n${fields.replaceAll(/- \*\*([^:]+):\*\* (.*)/g, '| $1 | $2 |')}`,
      ),
  },
  {
    how: 'categories joined by a word',
    edit: swap('| safety, durability |', '| Safety (per order) and durability |'),
  },
  {
    how: 'N/A as a row of the table of hypotheses',
    edit: (source) =>
      source
        .replace(
          '| H6 | The export',
          '| – | Upgrade and rollback: N/A, one version only | – | – |\n| H6 | The export',
        )
        .replace(/Upgrade and rollback: N\/A because [^.]*\. /, ''),
  },
  {
    how: 'a technique in words',
    edit: swap('**Technique:** jepsen-and-elle', '**Technique:** Jepsen and Elle'),
  },
  {
    how: 'a remark behind a target',
    edit: swap('`test/election.scenario.ts`', '`test/election.scenario.ts` (new)'),
  },
  {
    how: 'three categories of claims without arms',
    edit: swap('| safety, durability | docs', '| safety, durability, ordering | docs'),
  },
  {
    how: 'a summary of thirty lines',
    edit: swap(/(## 0\. Architectural summary\n\n)[^#]*/, `$1${'One line.\n\n'.repeat(30)}`),
  },
  {
    how: 'one checker that fits and one for more',
    edit: swap('**Checker:** linearizable, no-lost-ack', '**Checker:** linearizable, total-queue'),
  },
  { how: 'an inferred claim without a source', edit: swap('| src/tenants.ts:40 | yes |', '| | yes |') },
  { how: 'no faults', edit: swap('**Faults:** pause of the leader', '**Faults:** no faults: a baseline') },
  { how: 'a fault with another ending', edit: swap('**Faults:** pause of', '**Faults:** pause, pausing of') },
  {
    how: 'surfaces with a list in brackets',
    edit: swap('| HTTP API |', '| HTTP API (v1, v2, v3 and v4) |'),
  },
  budgets(
    'budgets in long words',
    '- **Budgets:** Smoke: 30 seconds, 1 node, 0 faults, 1 seed; hardening: 2 minutes, 3 nodes, 3 faults, 3 seeds; release: none: there is no rig; revisit when there is one',
  ),
  budgets(
    'budgets with other columns',
    [
      '',
      '| Tier | Duration | Node count | Fault count | Seed count |',
      '| -- | -- | -- | -- | -- |',
      '| Smoke | 5 s | 1 | 1 | 1 |',
      '| Hardening | 30 s | 3 × t3.small | 3 | 3 |',
      '| Release | 1 h | 5 | 20 | 10 |',
    ].join('\n'),
  ),
  ...[
    'linearizable',
    'every acknowledged id is in the final list',
    'no acknowledged write is lost; no manual repair is counted',
    'p99 of puts below 200 ms',
    'the dumps of all replicas are identical at rest',
    'exactly one leader for each term',
    'unique-ids over what was handed out',
    'at most 3 retries for an order',
  ].map(oracle),
  ...[
    'load_balanced_requests_are_never_dropped',
    'nodes_agree_after_a_partition',
    'cluster_elects_one_leader_per_term',
    'fifo_order_is_kept_under_load',
    'acknowledged_writes_survive_a_kill',
    'node restart keeps acknowledged writes',
  ].map(name),
  ...[
    'We cannot say anything about two data centres.',
    'There is no guarantee that these faults are all.',
    'Whether it is safe nobody has observed.',
  ].map(confidence),
]
