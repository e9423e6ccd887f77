import type { Technique } from '../technique.js'

export const formalMethods: Technique = {
  id: 'formal-methods',
  title: 'Formal methods: specifications and model checking',
  summary:
    'The protocol is written down as a state machine, and a model checker visits every state of a small instance. What it finds is wrong in the design, before or beside any code.',
  when: [
    'a protocol is new or about to be changed: replication, membership, leases, transactions',
    'an error would destroy data, and tests can only sample',
    'people disagree on what the protocol promises',
  ],
  findsWell: [
    'errors that take dozens of steps, with the shortest way to them',
    'assumptions that nobody had written down',
    'optimisations that look safe and are not',
  ],
  misses: [
    'code that differs from the specification, unless traces are held against it',
    'instances larger than the one that was explored',
    'performance, configuration, operation',
    'faults that the specification does not have',
  ],
  here: 'Not this package. Its models are small sequential specifications, and its checkers hold recorded runs against them.',
  tools: [
    {
      name: 'TLA+ and TLC',
      url: 'https://github.com/tlaplus/tlaplus',
      what: 'the language and its model checker',
    },
    {
      name: 'Apalache',
      url: 'https://github.com/apalache-mc/apalache',
      what: 'symbolic model checker for TLA+ and Quint',
    },
    {
      name: 'Quint',
      url: 'https://github.com/informalsystems/quint',
      what: 'the logic of TLA+ in the syntax of a programming language, with a simulator; an npm package',
    },
    {
      name: 'P',
      url: 'https://github.com/p-org/P',
      what: 'state machines that send events, checked by search',
    },
    {
      name: 'Stateright',
      url: 'https://github.com/stateright/stateright',
      what: 'model checker for actors in Rust; the model can also run',
    },
  ],
  papers: [
    {
      authors: 'L. Lamport',
      title: 'The Temporal Logic of Actions',
      venue: 'ACM TOPLAS',
      year: 1994,
      url: 'https://doi.org/10.1145/177492.177726',
    },
    {
      authors: 'C. Newcombe, T. Rath, F. Zhang, B. Munteanu, M. Brooker, M. Deardeuff',
      title: 'How Amazon Web Services Uses Formal Methods',
      venue: 'Communications of the ACM 58(4)',
      year: 2015,
      url: 'https://doi.org/10.1145/2699417',
    },
    {
      authors: 'A. J. J. Davis, M. Hirschhorn, J. Schvimer',
      title: 'eXtreme Modelling in Practice',
      venue: 'PVLDB 13(9)',
      year: 2020,
      url: 'https://doi.org/10.14778/3397230.3397233',
    },
    {
      authors: 'J. Bornholt, R. Joshi, V. Astrauskas, et al.',
      title: 'Using Lightweight Formal Methods to Validate a Key-Value Storage Node in Amazon S3',
      venue: 'SOSP',
      year: 2021,
      url: 'https://doi.org/10.1145/3477132.3483540',
    },
    {
      authors: 'H. Howard, M. A. Kuppe, E. Ashton, A. Chamayou, N. Crooks',
      title: 'Smart Casual Verification of the Confidential Consortium Framework',
      venue: 'NSDI',
      year: 2025,
      url: 'https://www.usenix.org/conference/nsdi25/presentation/howard',
    },
  ],
  cost: 'weeks to learn, days to weeks a protocol; minutes to days of machine time',
  checklist: [
    'the properties: what must always hold, and what must come about at last',
    'the faults that the specification has, and those it leaves out',
    'the size of the instance that was explored',
    'how code and specification are kept together: traces, generated tests, reviews',
    'which scenarios test what is beyond the specification',
  ],
}
