import type { Technique } from '../technique.js'

export const performanceAndBenchmarking: Technique = {
  id: 'performance-and-benchmarking',
  title: 'Performance and benchmarking',
  summary:
    'Load comes at a rate that does not wait for answers (an open loop), latency counts from when a request was due, and results are compared by intervals over repeated runs.',
  when: [
    'a claim has a number: a percentile, a throughput, a time to recover, a share for each tenant',
    'a change may be slower, or slower only while a fault lasts',
    'groups share a resource: tenants, shards, queues, priorities',
  ],
  findsWell: [
    'tails that an average hides',
    'one slow node that slows all requests',
    'overload that goes on after its cause has ended',
    'tenants that starve behind a large one',
  ],
  misses: [
    'wrong answers that come fast',
    'everything, when clients wait for answers before they ask again: omitted requests are not measured',
    'loads and data that differ from those of the test',
  ],
  here: 'This package: open-loop workloads (`rate`), `slo`, `baseline` with bootstrap intervals, `fairness` by group, `availability`. It is no load generator for millions of requests a second.',
  tools: [
    {
      name: 'wrk2',
      url: 'https://github.com/giltene/wrk2',
      what: 'HTTP load at a constant rate, with latency from when a request was due',
    },
    {
      name: 'k6',
      url: 'https://github.com/grafana/k6',
      what: 'load written in JavaScript, with open arrival rates',
    },
    {
      name: 'YCSB',
      url: 'https://github.com/brianfrankcooper/YCSB',
      what: 'standard mixes of reads and writes for stores',
    },
    {
      name: 'HdrHistogram',
      url: 'https://github.com/HdrHistogram/HdrHistogram',
      what: 'records latencies over a wide range without losing the tail',
    },
  ],
  papers: [
    {
      authors: 'B. Schroeder, A. Wierman, M. Harchol-Balter',
      title: 'Open Versus Closed: A Cautionary Tale',
      venue: 'NSDI',
      year: 2006,
      url: 'https://www.usenix.org/conference/nsdi-06/open-versus-closed-cautionary-tale',
    },
    {
      authors: 'B. F. Cooper, A. Silberstein, E. Tam, R. Ramakrishnan, R. Sears',
      title: 'Benchmarking Cloud Serving Systems with YCSB',
      venue: 'SoCC',
      year: 2010,
      url: 'https://doi.org/10.1145/1807128.1807152',
    },
    {
      authors: 'J. Dean, L. A. Barroso',
      title: 'The Tail at Scale',
      venue: 'Communications of the ACM 56(2)',
      year: 2013,
      url: 'https://doi.org/10.1145/2408776.2408794',
    },
    {
      authors: 'T. Kalibera, R. Jones',
      title: 'Rigorous Benchmarking in Reasonable Time',
      venue: 'ISMM',
      year: 2013,
      url: 'https://doi.org/10.1145/2464157.2464160',
    },
    {
      authors: 'L. Huang, M. Magnusson, A. B. Muralikrishna, et al.',
      title: 'Metastable Failures in the Wild',
      venue: 'OSDI',
      year: 2022,
      url: 'https://www.usenix.org/conference/osdi22/presentation/huang-lexiang',
    },
  ],
  cost: 'hours to days; a quiet machine, and as many repetitions as the noise asks for',
  checklist: [
    'the threshold, set before the run, with its percentile and its group',
    'an open loop and its rate; what clients do when they fall behind',
    'warm-up, duration and number of runs, and why these',
    'the baseline: same machine, same harness, how old',
    'what is measured while a fault lasts, and how long recovery may take',
  ],
}
