import type { redFlags } from '../../../src/verdict/audits/audit.js'
import { faultWindow } from '../../session/records.js'
import { hardenedRecord, hardenedRuns, oneWay, slice } from '../hardened.js'
import {
  check,
  declared,
  green,
  host,
  judgedBy,
  load,
  match,
  noFaults,
  runs,
  service,
  silent,
  stepped,
  idleFor,
  type Session,
  type Sessions,
} from './parts.js'

/** Sessions that meet each red flag, that do not, and to which it does not apply. */
export const redFlagSessions: Readonly<Record<(typeof redFlags)[number], Sessions>> = {
  'load-produced': {
    met: [
      ['a closed loop', green, /seed-42: 940 invoked, 900 ok, 9 failed, 31 unknown; 0 of 3 slices idle/],
      [
        'an open loop that kept up',
        runs({ load: { ...load, loop: 'open', slices: [slice(0, { intended: 1_000, invoked: 940 })] } }),
        /1000 intended, 940 invoked/,
      ],
      [
        'idle for as long as a fault explains',
        runs({
          load: { ...load, slices: [slice(0), slice(1), slice(2, { invoked: 0 })] },
          faults: [faultWindow({ injected_ts: 10e9, healed_ts: 20e9 })],
        }),
        /1 of 3 slices idle/,
      ],
      [
        'idle for less than a second',
        runs({ durationMs: 2_000, load: idleFor(999, 2_000), faults: [] }),
        /1 of 2 slices idle/,
      ],
      ['driven by a body', runs({ load: null }), /its body drives the system; 940 operations/],
    ],
    unmet: [
      [
        'idle for more than a second that nothing explains',
        runs({ durationMs: 2_000, load: idleFor(1_001, 2_000), faults: [] }),
        /nothing was invoked for 1001 of 2000 ms, faults were in place for 0 ms/,
      ],
      [
        'idle for more than a tenth of a long run that nothing explains',
        runs({ load: idleFor(3_001, 30_000), faults: [] }),
        /nothing was invoked for 3001 of 30000 ms/,
      ],
      [
        'idle under faults that overlap, of which none explains what the other does',
        runs({
          load: idleFor(12_000, 30_000),
          faults: [
            faultWindow({ injected_ts: 0, healed_ts: 8e9 }),
            faultWindow({ injected_ts: 0, healed_ts: 8e9 }),
          ],
        }),
        /nothing was invoked for 12000 of 30000 ms, faults were in place for 8000 ms/,
      ],
      ['idle', runs({ load: { ...load, invoked: 0, ok: 0 } }), /seed-42: the workload was idle/],
      ['mostly refused', runs({ load: { ...load, ok: 40 } }), /40 of 940 operations ended ok, less than 5%/],
      [
        'idle for longer than faults explain',
        runs({ load: { ...load, slices: [slice(0), slice(1, { invoked: 0 }), slice(2, { invoked: 0 })] } }),
        /nothing was invoked for 20000 of 30000 ms, faults were in place for 2000 ms/,
      ],
      [
        'idle nearly all the time, under a fault nearly all the time',
        runs({
          load: {
            ...load,
            slices: Array.from({ length: 10 }, (_, index) =>
              slice(index, { invoked: index === 0 ? 900 : 0 }),
            ),
          },
          faults: [faultWindow({ injected_ts: 0, healed_ts: null })],
        }),
        /nothing was invoked for 90000 of 100000 ms/,
      ],
      [
        'an open loop that fell behind',
        runs({ load: { ...load, loop: 'open', intendedRate: 100, slices: [] } }),
        /940 of 3000 intended operations were invoked/,
      ],
      ['a body of which nothing was judged', runs({ load: null, checks: [] }), /no load was measured/],
    ],
    notApplicable: [],
  },
  'oracle-ran': {
    met: [
      ['in every run', green, /linearizable consumed 940, 940, 940 operations in seed-42, seed-43, seed-44/],
      [
        'until the violation that ends the row of seeds',
        hardenedRecord({ runs: hardenedRuns({ checks: [{ ...check!, valid: false }] }).slice(0, 1) }),
        /1 run judged by 1 checker/,
      ],
    ],
    unmet: [
      [
        'too few runs',
        hardenedRecord({ runs: hardenedRuns().slice(1) }),
        /2 of 3 intended runs went to their end/,
      ],
      ['a topology without its runs', hardenedRecord({ topologies: ['five'] }), /3 of 6 intended runs/],
      ['no result', runs({ checks: [] }), /seed-43: linearizable left no result/],
      [
        'nothing consumed',
        runs({ checks: [{ ...check!, operations: 0 }] }),
        /linearizable consumed no operation/,
      ],
      [
        'no answer',
        runs({ checks: [{ ...check!, valid: 'unknown', reason: 'out of time' }] }),
        /linearizable gave no answer: out of time/,
      ],
      ['no checker', hardenedRecord({ checkers: [] }), /no checker is declared/],
    ],
    notApplicable: [],
  },
  'faults-injected': {
    met: [
      [
        'both sides',
        green,
        /injector n1->n2 dropped chunks 0 -> 14712; victim n1 unanswered operations 0 -> 31/,
      ],
      [
        'a random schedule of which some were left out',
        runs({
          schedule: [
            {
              declared: 'random',
              faults: [...declared('kill node=n1').faults, ...declared('kill node=n2', null).faults],
            },
          ],
        }),
        /injector n1->n2/,
      ],
    ],
    unmet: [
      ...(['injector', 'victim'] as const).flatMap((side): Session[] => [
        [
          `landed on readings of the ${side} that did not change`,
          runs({
            faults: [
              {
                ...oneWay,
                evidence: oneWay.evidence.map((one) =>
                  one.side === side ? { ...one, after: one.before } : one,
                ),
              },
            ],
          }),
          side === 'injector'
            ? /nothing changed on the injector's side/
            : /nothing changed on a victim's side/,
        ],
        [
          `landed on something of the ${side} that had to stand still and did not`,
          runs({
            faults: [
              {
                ...oneWay,
                evidence: oneWay.evidence.map((one) =>
                  one.side === side ? { ...one, expected: 'still' as const } : one,
                ),
              },
            ],
          }),
          /no reading that changed/,
        ],
      ]),
      [
        'not landed',
        runs({ faults: [faultWindow({ landed: false, cause: 'no traffic met it' })] }),
        /seed-42 F1 partition n1 \| n2, n3 did not land: no traffic met it/,
      ],
      [
        'landed on the word of the injector',
        runs({ faults: [{ ...oneWay, evidence: oneWay.evidence.slice(0, 1) }] }),
        /nothing changed on a victim's side/,
      ],
      [
        'landed on the word of a victim',
        runs({ faults: [{ ...oneWay, evidence: oneWay.evidence.slice(1) }] }),
        /nothing changed on the injector's side/,
      ],
      [
        'never fired',
        runs({ faults: [], schedule: [declared('kill node=n1', null)] }),
        /kill node=n1 was never put in place/,
      ],
      ['declared and not on record', runs({ faults: [], schedule: [] }), /no run has a fault window/],
    ],
    notApplicable: [['no fault', { ...noFaults, nemesis: [] }, /no fault is declared/]],
  },
  'no-silent-no-op': {
    met: [['met by operations', green, /2000 ms, met by 40 of 120 operations: 5 ok, 4 failed, 31 unknown/]],
    unmet: [
      [
        'taken back by somebody else',
        runs({ faults: [{ ...oneWay, landed: false, cause: 'something else has started n1 again' }] }),
        /something else has started n1 again/,
      ],
      ['a cause in spite of a landing', runs({ faults: [{ ...oneWay, cause: 'it leaked' }] }), /it leaked/],
      ['exposure unknown', runs({ faults: [{ ...oneWay, exposure: null }] }), /was not recorded/],
      [
        'beside all operations',
        runs({ faults: [{ ...oneWay, exposure: { ...silent, exposed: 0, ok: 0 } }] }),
        /no operation met it on an affected path, of 90/,
      ],
      ['never gone', runs({ faults: [{ ...oneWay, healed_ts: null }] }), /never seen to be gone/],
      [
        'gone before it came',
        runs({ faults: [{ ...oneWay, healed_ts: oneWay.injected_ts - 5e6 }] }),
        /gone 5 ms before it came/,
      ],
    ],
    notApplicable: [['no fault', noFaults, /no fault was put in place/]],
  },
  'clock-skew-harmless': {
    met: [
      ['nothing was set', judgedBy('slo', 4), /judged by time: slo[^]*monotonic clock, 0 clock steps seen/],
      [
        'a node of the system was skewed',
        judgedBy('lease-exclusion', 2, {
          runs: hardenedRuns({ faults: [faultWindow({ fault: 'clock-skew' })] }),
        }),
        /a clock of the system, not the one that measures/,
      ],
    ],
    unmet: [
      ...(
        [
          ['slo', 4],
          ['baseline', 5],
          ['fairness', 14],
          ['lease-exclusion', 2],
          ['bounded-staleness', 8],
        ] as const
      ).map(([name, pattern]): Session => [
        `nobody watched while ${name} judged by time`,
        judgedBy(name, pattern, { runs: hardenedRuns({ host: null }) }),
        new RegExp(`was not watched[^]*judged by time: ${name}`),
      ]),
      [
        'the clock was set',
        judgedBy('slo', 4, { runs: hardenedRuns({ host: { ...host, signals: [stepped] } }) }),
        /seed-42: the clock was set back by 900 ms/,
      ],
      ['nobody watched', judgedBy('slo', 4, { runs: hardenedRuns({ host: null }) }), /was not watched/],
      [
        'the clock could not be watched',
        judgedBy('slo', 4, { runs: hardenedRuns({ host: { ...host, watched: ['/proc/stat'] } }) }),
        /the clock of this machine was not watched/,
      ],
      [
        'wall clocks',
        judgedBy('fairness', 14, {
          runs: hardenedRuns({ recording: { mechanism: 'in-process', clock: 'wall' } }),
        }),
        /wall clocks/,
      ],
    ],
    notApplicable: [['nothing is judged by time', green, /no checker judges by time: linearizable/]],
  },
  'duration-met': {
    met: [
      ['hardening', green, /hardening asks for 30000 ms: seed-42 30000 ms/],
      ['smoke', hardenedRecord({ tierAttempted: 'smoke' }), /smoke asks for 5000 ms/],
      [
        'the tier below one that is not provided',
        hardenedRecord({
          tierAttempted: 'release',
          budget: { ...green.budget!, release: { notProvided: 'no rig', revisitWhen: 'there is one' } },
        }),
        /hardening asks for 30000 ms/,
      ],
    ],
    unmet: [
      [
        'a short run',
        { ...runs({ durationMs: 29_999 }), tierMet: 'smoke' },
        /seed-42 lasted 29999 ms of the 30000 ms/,
      ],
      [
        'another dimension',
        { ...hardenedRecord({ runs: hardenedRuns().slice(1) }), tierMet: 'smoke' },
        /the hardening budget was not met: faults 2 of 3/,
      ],
    ],
    notApplicable: [['no budget', hardenedRecord({ budget: null }), /no budget is declared/]],
  },
  'no-swallowed-errors': {
    met: [
      ['clean logs', green, /seed-42: 900 lines of 3 files read$/m],
      [
        'empty logs',
        runs({ logScan: { files: 3, lines: 0, matches: [], unread: [] } }),
        /0 lines of 3 files read: the nodes said nothing, or they say it elsewhere/,
      ],
      [
        'ignored for a reason',
        runs({
          logScan: {
            files: 1,
            lines: 9,
            matches: [{ ...match, ignored: 'expected after a kill' }],
            unread: [],
          },
        }),
        /ignored panic 2 times: expected after a kill/,
      ],
    ],
    unmet: [
      ['not read', runs({ logScan: null }), /the logs of its nodes were not read/],
      ['no log', runs({ logScan: { files: 0, lines: 0, matches: [], unread: [] } }), /gave no log to read/],
      [
        'some unread',
        runs({ logScan: { files: 2, lines: 9, matches: [], unread: ['n3: gone'] } }),
        /could not be read: n3: gone/,
      ],
      [
        'a panic',
        runs({ logScan: { files: 1, lines: 9, matches: [match, match, match, match], unread: [] } }),
        /logs\/n1\.log:7: panic: index \(2 times\)[^]*and 1 more patterns/,
      ],
    ],
    notApplicable: [],
  },
  'recovered-to-nominal': {
    met: [
      [
        'as before',
        green,
        /at rest 120 ms after the last heal[^]*188\/s, 99% ok, p99 9 ms before[^]*tolerated/,
      ],
      [
        'a few that were slower',
        runs({ nominal: { before: service, after: { ...service, operations: 99, p99: 200 } } }),
        /p99 200 ms after/,
      ],
      [
        'half of the rate, 5% fewer that end ok, and a p99 that is a little longer',
        runs({
          nominal: {
            before: { ...service, operations: 10, okShare: 1, rate: 100 },
            after: { ...service, operations: 10, okShare: 0.95, rate: 50, p99: 59 },
          },
        }),
        /100\/s, 100% ok, p99 9 ms before the faults, 50\/s, 95% ok, p99 59 ms after/,
      ],
      [
        'a p99 of three times before',
        runs({ nominal: { before: { ...service, p99: 100 }, after: { ...service, p99: 300 } } }),
        /p99 300 ms after/,
      ],
    ],
    unmet: [
      [
        'nothing served before, and nothing after',
        runs({
          nominal: {
            before: { ...service, okShare: 0, rate: 0, p99: null },
            after: { ...service, okShare: 0, rate: 0, p99: null },
          },
        }),
        /none of 940 operations ended ok before the faults/,
      ],
      [
        'too little after',
        runs({ nominal: { before: service, after: { ...service, operations: 9 } } }),
        /9 operations after the faults are too few/,
      ],
      [
        'a few more that fail',
        runs({ nominal: { before: { ...service, okShare: 1 }, after: { ...service, okShare: 0.949 } } }),
        /degraded: 94.9% ended ok/,
      ],
      [
        'a p99 of more than three times before',
        runs({ nominal: { before: { ...service, p99: 100 }, after: { ...service, p99: 301 } } }),
        /degraded: p99 is 301 ms/,
      ],
      ['never came back', runs({ recoveryMs: null }), /never ready and at rest again/],
      ['not measured', runs({ nominal: null }), /was not measured/],
      [
        'no time before',
        runs({ nominal: { before: null, after: service } }),
        /no time before its first fault/,
      ],
      ['no time after', runs({ nominal: { before: service, after: null } }), /no time after its last fault/],
      [
        'too little',
        runs({ nominal: { before: { ...service, operations: 3 }, after: service } }),
        /3 operations before the faults are too few/,
      ],
      [
        'slow',
        runs({ nominal: { before: service, after: { ...service, rate: 90 } } }),
        /degraded: 90\/s after the faults, 188\/s before/,
      ],
      [
        'failing',
        runs({ nominal: { before: service, after: { ...service, okShare: 0.9 } } }),
        /degraded: 90% ended ok/,
      ],
      [
        'late',
        runs({ nominal: { before: service, after: { ...service, p99: 60 } } }),
        /degraded: p99 is 60 ms after/,
      ],
      [
        'silent',
        runs({ nominal: { before: service, after: { ...service, p99: null } } }),
        /p99 is unknown after/,
      ],
    ],
    notApplicable: [['no fault', noFaults, /no fault was put in place, and every run came to rest/]],
  },
  'baseline-comparable': {
    met: [
      [
        'the same harness',
        hardenedRecord({
          checkers: [
            { name: 'baseline', pattern: 5, scope: [], usesModel: false, misfit: null, comparedWith: '3f9a' },
          ],
        }),
        /harness of these runs: 3f9a/,
      ],
    ],
    unmet: [
      ['nobody knows', judgedBy('baseline', 5), /which harness measured its baseline is not on record/],
      [
        'another harness',
        hardenedRecord({
          checkers: [
            { name: 'baseline', pattern: 5, scope: [], usesModel: false, misfit: null, comparedWith: 'b00c' },
          ],
        }),
        /measured by harness b00c, these runs by 3f9a/,
      ],
      [
        'a harness that nobody knows',
        hardenedRecord({
          harness: '',
          checkers: [
            { name: 'baseline', pattern: 5, scope: [], usesModel: false, misfit: null, comparedWith: '' },
          ],
        }),
        /these runs by unknown/,
      ],
    ],
    notApplicable: [['no baseline', green, /no checker compares/]],
  },
  replicated: {
    met: [['three seeds', green, /seeds 42, 43, 44 in 3 runs/]],
    unmet: [
      [
        'two seeds',
        hardenedRecord({ runs: hardenedRuns().slice(1) }),
        /2 seeds ran to the end, 3 must agree/,
      ],
      ['one seed three times', runs({ seed: 42 }), /1 seed ran to the end/],
      [
        'they disagree',
        hardenedRecord({
          runs: hardenedRuns().map((run) =>
            run.seed === 43 ? { ...run, checks: [{ ...check!, valid: false }] } : run,
          ),
        }),
        /linearizable answered true in seed-42, false in seed-43, true in seed-44/,
      ],
    ],
    notApplicable: [],
  },
}
