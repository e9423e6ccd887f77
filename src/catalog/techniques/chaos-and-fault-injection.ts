import type { Technique } from '../technique.js'

export const chaosAndFaultInjection: Technique = {
  id: 'chaos-and-fault-injection',
  title: 'Chaos and fault injection',
  summary:
    'Something is broken on purpose while the system works, and a hypothesis about its steady state is held against what is measured: it stays available, it recovers in time, alarms ring.',
  when: [
    'claims are about availability, recovery and degradation rather than single answers',
    'what is tested is the whole installation: timeouts, retries, load balancers, alarms, run-books',
    'the system is not yours and can only be watched from outside',
  ],
  findsWell: [
    'timeouts and retries that turn a small fault into an outage',
    'error handling that was never run',
    'failovers that need a person',
    'partial partitions, in which some nodes still see all others',
  ],
  misses: [
    'wrong answers: a green dashboard does not look at them',
    'faults that were ordered and had no effect, unless that is looked for',
    'anything outside the few faults that were thought of',
  ],
  here: 'This package: faults that count only with evidence from injector and victim, schedules by seed, `slo`, `availability` and `baseline` as oracles. Kubernetes is left to the tools.',
  tools: [
    {
      name: 'Chaos Mesh',
      url: 'https://github.com/chaos-mesh/chaos-mesh',
      what: 'faults on Kubernetes, declared as resources',
    },
    {
      name: 'Litmus',
      url: 'https://github.com/litmuschaos/litmus',
      what: 'experiments on Kubernetes with probes of the steady state',
    },
    {
      name: 'Toxiproxy',
      url: 'https://github.com/Shopify/toxiproxy',
      what: 'TCP proxy with faults, driven by HTTP; this package speaks to it',
    },
    {
      name: 'Pumba',
      url: 'https://github.com/alexei-led/pumba',
      what: 'kills and pauses containers, and disturbs their network',
    },
    {
      name: 'gofail',
      url: 'https://github.com/etcd-io/gofail',
      what: 'named points in Go code at which a failure can be switched on',
    },
  ],
  papers: [
    {
      authors: 'A. Basiri, N. Behnam, R. de Rooij, L. Hochstein, L. Kosewski, J. Reynolds, C. Rosenthal',
      title: 'Chaos Engineering',
      venue: 'IEEE Software 33(3)',
      year: 2016,
      url: 'https://doi.org/10.1109/MS.2016.60',
    },
    {
      authors: 'P. Alvaro, J. Rosen, J. M. Hellerstein',
      title: 'Lineage-driven Fault Injection',
      venue: 'SIGMOD',
      year: 2015,
      url: 'https://doi.org/10.1145/2723372.2723711',
    },
    {
      authors: 'D. Yuan, Y. Luo, X. Zhuang, et al.',
      title:
        'Simple Testing Can Prevent Most Critical Failures: An Analysis of Production Failures in Distributed Data-Intensive Systems',
      venue: 'OSDI',
      year: 2014,
      url: 'https://www.usenix.org/conference/osdi14/technical-sessions/presentation/yuan',
    },
    {
      authors: 'A. Alquraan, H. Takruri, M. Alfatafta, S. Al-Kiswany',
      title: 'An Analysis of Network-Partitioning Failures in Cloud Systems',
      venue: 'OSDI',
      year: 2018,
      url: 'https://www.usenix.org/conference/osdi18/presentation/alquraan',
    },
    {
      authors: 'M. Alfatafta, B. Alkhatib, A. Alquraan, S. Al-Kiswany',
      title: 'Toward a Generic Fault Tolerance Technique for Partial Network Partitioning',
      venue: 'OSDI',
      year: 2020,
      url: 'https://www.usenix.org/conference/osdi20/presentation/alfatafta',
    },
    {
      authors: 'C. Lou, P. Huang, S. Smith',
      title: 'Understanding, Detecting and Localizing Partial Failures in Large System Software',
      venue: 'NSDI',
      year: 2020,
      url: 'https://www.usenix.org/conference/nsdi20/presentation/lou',
    },
  ],
  cost: 'hours for the first fault on a test installation; a machine or cluster for as long as it runs',
  checklist: [
    'the steady state as numbers, measured before the fault',
    'which fault hits whom, at which moment of the workload, and for how long',
    'the evidence that it landed, from the injector and from a victim',
    'the threshold and the time to recover, set before the run',
    'what undoes the fault when the run itself dies',
  ],
}
