import type { Technique } from '../technique.js'

export const deterministicSimulation: Technique = {
  id: 'deterministic-simulation',
  title: 'Deterministic simulation',
  summary:
    'All nodes run in one process on a simulated clock, network and disk, driven by one seed. Years of faults pass in minutes, and each failure comes again from its seed.',
  when: [
    'the system is yours, and its clock, network, disk and random numbers can be put behind interfaces',
    'failures are seen in production that nobody can repeat',
    'a new protocol is written and can be designed for it from the start',
  ],
  findsWell: [
    'rare interleavings of messages, timers and crashes',
    'errors in recovery that need several faults in a row',
    'regressions, since a seed that once failed is a test',
  ],
  misses: [
    'what the simulated parts get wrong: real file systems, kernels, clocks, libraries',
    'code that is not in the simulation, such as a client in another language',
    'data races between threads, where the simulation has one thread',
    'performance',
  ],
  here: 'Not this package, which runs real processes. A recorded history of a simulation can be judged by `nemesis check`.',
  tools: [
    {
      name: 'FoundationDB',
      url: 'https://github.com/apple/foundationdb',
      what: 'the database whose simulator made the technique known',
    },
    {
      name: 'TigerBeetle',
      url: 'https://github.com/tigerbeetle/tigerbeetle',
      what: 'a database with a simulator of clusters and disks in its tree, to read',
    },
    {
      name: 'turmoil',
      url: 'https://github.com/tokio-rs/turmoil',
      what: 'simulated hosts and network for asynchronous Rust',
    },
    {
      name: 'MadSim',
      url: 'https://github.com/madsim-rs/madsim',
      what: 'deterministic runtime for asynchronous Rust, with stand-ins for libraries',
    },
    {
      name: 'Coyote',
      url: 'https://github.com/microsoft/coyote',
      what: 'takes over the scheduling of tasks in .NET and repeats what failed',
    },
    {
      name: 'Antithesis',
      url: 'https://antithesis.com/',
      what: 'hosted: whole containers in a deterministic hypervisor',
    },
  ],
  papers: [
    {
      authors: 'J. Zhou, M. Xu, A. Shraer, et al.',
      title: 'FoundationDB: A Distributed Unbundled Transactional Key Value Store',
      venue: 'SIGMOD',
      year: 2021,
      url: 'https://doi.org/10.1145/3448016.3457559',
    },
    {
      authors: 'B. K. Ozkan, R. Majumdar, F. Niksic, M. T. Befrouei, G. Weissenbacher',
      title: 'Randomized Testing of Distributed Systems with Probabilistic Guarantees',
      venue: 'PACMPL (OOPSLA)',
      year: 2018,
      url: 'https://doi.org/10.1145/3276530',
    },
  ],
  cost: 'weeks to months unless the system was built for it; then seconds a run, by the thousand',
  checklist: [
    'what is simulated and what is real, by name',
    'a test that one seed gives one run, twice',
    'the oracle: invariants inside, or the history that clients saw',
    'how many seeds a change must pass, and where seeds that failed are kept',
    'which claims need a run on real machines besides',
  ],
}
