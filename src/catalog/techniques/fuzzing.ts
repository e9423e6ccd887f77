import type { Technique } from '../technique.js'

export const fuzzing: Technique = {
  id: 'fuzzing',
  title: 'Fuzzing of inputs and of concurrency',
  summary:
    'Inputs, message orders or thread schedules are made up in great numbers, and what reaches new behaviour is kept and changed further. The oracle is a crash, a sanitizer, an assertion or a second implementation.',
  when: [
    'something parses what others send: protocols, queries, files, snapshots, configuration',
    'code has threads or tasks, and its errors depend on who runs first',
    'assertions are in the code already, so that there is something to hit',
  ],
  findsWell: [
    'crashes, hangs and memory errors on input that nobody would write',
    'decoders that accept what the encoder of another version never makes',
    'data races and deadlocks of small depth',
    'wrong results of queries, together with a metamorphic oracle',
  ],
  misses: [
    'wrong answers that violate nothing which is checked',
    'states that need a long, sensible conversation first',
    'faults of machines and networks, unless they are part of what is made up',
  ],
  here: 'Random workloads, random schedules of faults and confusable identifiers, all by seed; no guidance by coverage. Recorded histories of a fuzzer can be judged by `nemesis check`.',
  tools: [
    {
      name: 'AFL++',
      url: 'https://github.com/AFLplusplus/AFLplusplus',
      what: 'fuzzer of programs, guided by coverage',
    },
    {
      name: 'Jazzer.js',
      url: 'https://github.com/CodeIntelligenceTesting/jazzer.js',
      what: 'the same inside Node.js',
    },
    {
      name: 'SQLancer',
      url: 'https://github.com/sqlancer/sqlancer',
      what: 'makes up databases and queries, and finds wrong results',
    },
    {
      name: 'Mallory',
      url: 'https://github.com/dsfuzz/mallory',
      what: 'makes up schedules of faults, guided by what they bring about',
    },
    {
      name: 'Shuttle',
      url: 'https://github.com/awslabs/shuttle',
      what: 'random thread schedules for Rust, repeatable',
    },
  ],
  papers: [
    {
      authors: 'B. P. Miller, L. Fredriksen, B. So',
      title: 'An Empirical Study of the Reliability of UNIX Utilities',
      venue: 'Communications of the ACM 33(12)',
      year: 1990,
      url: 'https://doi.org/10.1145/96267.96279',
    },
    {
      authors: 'S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte',
      title: 'A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs',
      venue: 'ASPLOS',
      year: 2010,
      url: 'https://doi.org/10.1145/1736020.1736040',
    },
    {
      authors: 'R. Meng, G. Pîrlea, A. Roychoudhury, I. Sergey',
      title: 'Greybox Fuzzing of Distributed Systems',
      venue: 'CCS',
      year: 2023,
      url: 'https://doi.org/10.1145/3576915.3623097',
    },
    {
      authors: 'M. Rigger, Z. Su',
      title: 'Finding Bugs in Database Systems via Query Partitioning',
      venue: 'PACMPL (OOPSLA)',
      year: 2020,
      url: 'https://doi.org/10.1145/3428279',
    },
  ],
  cost: 'hours for a harness round a parser, days round a cluster; hours of machine time, again and again',
  checklist: [
    'what is made up: bytes, queries, message orders, thread schedules, faults',
    'what counts as a failure, besides a crash',
    'where the corpus and the seeds that failed are kept',
    'how long it runs on a change, and how long at night',
    'how an input that failed is made small',
  ],
}
