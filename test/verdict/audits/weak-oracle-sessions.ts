import type { weakOracles } from '../../../src/verdict/audits/audit.js'
import { faultWindow } from '../../session/records.js'
import { hardenedRecord, hardenedRuns, oneWay } from '../hardened.js'
import {
  boundary,
  check,
  claims,
  declared,
  green,
  judgedBy,
  kill,
  negative,
  runs,
  service,
  silent,
  type Session,
  type Sessions,
} from './parts.js'

/** Judged by an invariant at the end, and by a result that no declared checker gave. */
const besides = (checker: string) =>
  judgedBy('invariant: sum', 12, {
    runs: hardenedRuns({
      checks: [
        { ...check!, checker: 'invariant: sum' },
        { ...check!, checker },
      ],
    }),
  })

/** So many of 40 operations failed under a fault, and this share does without one. */
const usualFailures = ({ share, failed, unknown = 0 }: { share: number; failed: number; unknown?: number }) =>
  runs({
    faults: [{ ...oneWay, exposure: { ...silent, ok: 40 - failed - unknown, failed, unknown } }],
    nominal: { before: { ...service, okShare: 1 - share }, after: { ...service, okShare: 1 - share } },
  })

/** Sessions that meet the check of each weak oracle, that do not, and to which it does not apply. */
export const weakOracleSessions: Readonly<Record<(typeof weakOracles)[number], Sessions>> = {
  'not-final-state-only': {
    met: [
      ['a history', green, /linearizable judged 2820 operations/],
      ['every read of the accounts', judgedBy('bank-total', 12), /bank-total judged/],
      ['every read of a counter', judgedBy('counter', 12), /counter judged/],
      ['an assertion on the way', besides('properties'), /properties judged/],
    ],
    unmet: [
      ['a replay of the end', judgedBy('replay-equivalence', 3), /only the final state/],
      ['controls, which are tried at the end', besides('controls'), /only the final state/],
      ['an invariant at the end', judgedBy('invariant: sum', 12), /only the final state was judged/],
      ['replicas at the end', judgedBy('reconciliation', 13), /only the final state/],
      [
        'a misfit does not support',
        hardenedRecord({ checkers: [{ ...green.checkers[0]!, misfit: 'no' }] }),
        /no checker gave an answer/,
      ],
    ],
    notApplicable: [],
  },
  'not-logs-only': {
    met: [['operations', green, /linearizable judged 2820 operations/]],
    unmet: [
      [
        'nothing but logs',
        runs({ checks: [{ ...check!, operations: 0 }] }),
        /no checker gave an answer on operations/,
      ],
      [
        'no answer',
        runs({ checks: [{ ...check!, valid: 'unknown' }] }),
        /no checker gave an answer on operations/,
      ],
      [
        'one run without an answer, and two in another',
        hardenedRecord({
          runs: hardenedRuns().map((run) =>
            run.seed === 42
              ? { ...run, checks: [] }
              : run.seed === 43
                ? { ...run, checks: [check!, check!] }
                : run,
          ),
        }),
        /no checker gave an answer on operations of every run/,
      ],
    ],
    notApplicable: [],
  },
  'not-health-checks-only': {
    met: [
      ['operations', green, /linearizable judged/],
      [
        'a claim of availability',
        judgedBy('availability', 4, { claims: claims(['liveness']) }),
        /availability judged/,
      ],
    ],
    unmet: [
      ['only whether it answers', judgedBy('availability', 4), /only whether the system answers/],
      [
        'only whether it answers, of a claim of more than that',
        judgedBy('availability', 4, { claims: claims(['liveness', 'safety']) }),
        /only whether the system answers/,
      ],
      [
        'only whether it answers, of nothing that is claimed',
        judgedBy('availability', 4, { claims: [] }),
        /only whether the system answers/,
      ],
    ],
    notApplicable: [],
  },
  'not-a-single-failover': {
    met: [
      ['a take-down in each run', runs({ faults: [kill] }), /take-down of a node: 3/],
      [
        'two of them',
        hardenedRecord({ runs: [...hardenedRuns({ faults: [kill] }).slice(1), hardenedRuns()[0]!] }),
        /take-down of a node: 2/,
      ],
      [
        'leadership that is split in each run',
        runs({ faults: [faultWindow({ fault: 'split-brain' })], schedule: [] }),
        /fault aimed at the leader: 3/,
      ],
      [
        'the leader, cut off in each run',
        runs({ faults: [oneWay], schedule: [declared('asymmetric-partition from=leader to=others')] }),
        /fault aimed at the leader: 3/,
      ],
    ],
    unmet: [
      [
        'one take-down in all',
        hardenedRecord({
          runs: hardenedRuns().map((run) => (run.seed === 42 ? { ...run, faults: [kill] } : run)),
        }),
        /a single failover: 1 take-down of a node landed/,
      ],
      [
        'of several take-downs one of the leader',
        hardenedRecord({
          runs: hardenedRuns({ faults: [kill] }).map((run) =>
            run.seed === 42 ? { ...run, schedule: [declared('kill node=leader')] } : run,
          ),
        }),
        /a single failover: 1 fault aimed at the leader/,
      ],
    ],
    notApplicable: [
      ['nothing went down', green, /nothing rests on a failover/],
      ['what did not land', runs({ faults: [{ ...kill, landed: false }] }), /nothing rests on a failover/],
    ],
  },
  'not-no-error-metrics-only': {
    met: [['answers', green, /linearizable judged/]],
    unmet: [
      ['rates and errors', judgedBy('slo', 4), /only metrics were judged/],
      [
        'rates and errors, of a claim of more than that',
        judgedBy('slo', 4, { claims: claims(['performance-slo', 'durability']) }),
        /only metrics were judged/,
      ],
    ],
    notApplicable: [
      [
        'a claim about metrics',
        judgedBy('slo', 4, { claims: claims(['performance-slo']) }),
        /\(performance-slo\) is measured by metrics/,
      ],
    ],
  },
  'not-short-runs-only': {
    met: [
      [
        'one long run',
        hardenedRecord({
          runs: hardenedRuns().map((run, index) => ({ ...run, durationMs: index === 0 ? 30_000 : 5_000 })),
        }),
        /the longest run lasted 30000 ms/,
      ],
    ],
    unmet: [
      [
        'short ones',
        runs({ durationMs: 5_000 }),
        /short runs only: the longest run lasted 5000 ms, hardening asks for 30000 ms/,
      ],
      [
        'nobody says how long',
        hardenedRecord({ budget: { smoke: green.budget!.smoke } }),
        /no hardening budget/,
      ],
    ],
    notApplicable: [],
  },
  'not-symmetric-partitions-only': {
    met: [
      [
        'one way as well',
        runs({ faults: [faultWindow(), { ...oneWay, id: 'F2' }] }),
        /F2 asymmetric-partition/,
      ],
      ...(['latency', 'packet-loss', 'bandwidth'] as const).map((fault): Session => [
        `${fault} as well`,
        runs({ faults: [faultWindow(), faultWindow({ fault, id: 'F2' })] }),
        new RegExp(`F2 ${fault}`),
      ]),
    ],
    unmet: [
      [
        'symmetric ones, and another that did not land',
        runs({ faults: [faultWindow(), { ...oneWay, id: 'F2', landed: false }] }),
        /the only network faults/,
      ],
      [
        'symmetric ones, and a kill',
        runs({ faults: [faultWindow(), { ...kill, id: 'F2' }] }),
        /the only network faults/,
      ],
    ],
    notApplicable: [['no partition', runs({ faults: [kill] }), /no partition landed/]],
  },
  'no-hidden-retries': {
    met: [
      ['failures show', green, /4 failed and 31 unknown of 40 \(1% do not end ok without it\)/],
      [
        'one that went unanswered',
        usualFailures({ share: 0.3, failed: 0, unknown: 1 }),
        /0 failed and 1 unknown/,
      ],
      [
        'one that failed where none does',
        usualFailures({ share: 0, failed: 1 }),
        /1 failed and 0 unknown of 40$/m,
      ],
      ['more that failed than do anyway', usualFailures({ share: 0.3, failed: 23 }), /23 failed/],
    ],
    unmet: [
      [
        'everything ended well',
        runs({ faults: [{ ...oneWay, exposure: silent }] }),
        /no more operations that met a fault went wrong/,
      ],
      [
        'as many failed as do anyway, by a CAS that meets another value',
        usualFailures({ share: 0.3, failed: 14 }),
        /went wrong than do without one[^]*14 failed and 0 unknown of 40 \(30% do not end ok without it\)/,
      ],
      ...(
        [
          'kill',
          'stop',
          'pause',
          'restart',
          'power-loss',
          'partition',
          'split-brain',
          'rolling-restart',
          'rolling-upgrade',
        ] as const
      ).map((fault): Session => [
        `${fault} that nobody felt`,
        runs({ faults: [faultWindow({ fault, exposure: silent })] }),
        /the client may repeat by itself/,
      ]),
      ['nobody knows', runs({ faults: [{ ...oneWay, exposure: null }] }), /not on record/],
    ],
    notApplicable: [
      [
        'nothing was interrupted',
        runs({ faults: [faultWindow({ fault: 'latency' })] }),
        /nothing to repeat for/,
      ],
    ],
  },
  'no-wall-clock-order': {
    met: [['one clock', green, /recorded in-process, monotonic clock/]],
    unmet: [
      ['several', runs({ recording: { mechanism: 'combined', clock: 'wall' } }), /ordered by wall clocks/],
    ],
    notApplicable: [],
  },
  'not-one-topology': {
    met: [
      [
        'three and five nodes',
        hardenedRecord({
          claims: claims(['safety'], true),
          runs: [
            ...hardenedRuns(),
            ...hardenedRuns({ system: 'five', nodes: ['n1', 'n2', 'n3', 'n4', 'n5'] }),
          ],
        }),
        /quorum: 3 nodes[^]*five: 5 nodes/,
      ],
    ],
    unmet: [
      [
        'one size',
        hardenedRecord({ claims: claims(['safety'], true) }),
        /C1: claimed of every size, tested on 3 nodes only/,
      ],
    ],
    notApplicable: [['no such claim', green, /no claim is about every size/]],
  },
  'not-one-seed': {
    met: [['three', green, /seeds 42, 43, 44/]],
    unmet: [['one', runs({ seed: 42 }), /one seed only/]],
    notApplicable: [],
  },
  'not-a-single-surface': {
    met: [
      [
        'one of two arms',
        hardenedRecord({
          claims: claims(['boundary']),
          boundary: boundary([
            ['api', 'GET /docs'],
            ['export', 'nightly dump'],
          ]),
        }),
        /arm api: GET \/docs[^]*arm export: nightly dump/,
      ],
    ],
    unmet: [
      [
        'it stands alone',
        hardenedRecord({ claims: claims(['boundary']) }),
        /a single surface: none is declared/,
      ],
      [
        'one arm',
        hardenedRecord({ claims: claims(['boundary']), boundary: boundary([['api', 'GET /docs']]) }),
        /a single surface: GET \/docs/,
      ],
    ],
    notApplicable: [['no boundary', green, /no claim is about a boundary/]],
  },
  'not-positive-controls-only': {
    met: [
      [
        'a refusal in each run',
        hardenedRecord({
          claims: claims(['boundary']),
          runs: hardenedRuns({ controls: [negative, { ...negative, kind: 'positive' }] }),
        }),
        /seed-42: 1 positive and 1 negative controls held/,
      ],
    ],
    unmet: [
      [
        'positive ones only',
        hardenedRecord({
          claims: claims(['boundary']),
          runs: hardenedRuns({ controls: [{ ...negative, kind: 'positive' }] }),
        }),
        /seed-42: no negative control/,
      ],
      [
        'one that did not hold',
        hardenedRecord({
          claims: claims(['boundary']),
          runs: hardenedRuns({ controls: [{ ...negative, held: false }] }),
        }),
        /negative control other tenant did not hold/,
      ],
    ],
    notApplicable: [['no boundary', green, /no claim is about a boundary/]],
  },
  'not-aggregate-fairness-only': {
    met: [
      [
        'by group',
        judgedBy('fairness', 14, { claims: claims(['fairness']), evidence: { groups: 4 } }),
        /fairness compared 4 groups/,
      ],
    ],
    unmet: [
      [
        'groups that nobody counted',
        judgedBy('fairness', 14, { claims: claims(['fairness']) }),
        /there were 0 groups to compare/,
      ],
      ['an aggregate', hardenedRecord({ claims: claims(['fairness']) }), /an aggregate hides who is starved/],
      [
        'one group',
        judgedBy('fairness', 14, { claims: claims(['fairness']), evidence: { groups: 1 } }),
        /there were 1 groups to compare/,
      ],
    ],
    notApplicable: [['no fairness', green, /no claim is about fairness/]],
  },
}
