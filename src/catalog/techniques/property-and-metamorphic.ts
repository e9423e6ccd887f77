import type { Technique } from '../technique.js'

export const propertyAndMetamorphic: Technique = {
  id: 'property-and-metamorphic',
  title: 'Property-based and metamorphic tests',
  summary:
    'Inputs or sequences of calls are generated, and a rule decides: a property that every run keeps, a model that answers alike, or a relation between two runs where the right answer itself is not known. What fails is shrunk.',
  when: [
    'one can say what holds for all inputs, or how two answers must relate',
    'a simple reference exists: an older version, another store, a map in memory',
    'a surface has another way to the same data, such as a query and an export',
  ],
  findsWell: [
    'edge cases of data: empty, repeated, reordered, very large',
    'sequences of calls that reach a wrong state, shrunk to a few',
    'two surfaces that disagree, indexes that lack rows',
    'merges that depend on the order in which they come',
  ],
  misses: [
    'properties that nobody wrote down',
    'errors that model and system share',
    'timing and faults, unless they are part of what is generated',
  ],
  here: 'This package: `always`, `sometimes` and `unreachable` with counts, `invariant`, `differential`, generated histories for all models (`vitest-nemesis/histories`).',
  tools: [
    {
      name: 'fast-check',
      url: 'https://github.com/dubzzz/fast-check',
      what: 'properties, models of commands and a scheduler of promises, for TypeScript',
    },
    {
      name: 'Hypothesis',
      url: 'https://github.com/HypothesisWorks/hypothesis',
      what: 'the same for Python, with state machines as tests',
    },
    {
      name: 'SQLancer',
      url: 'https://github.com/sqlancer/sqlancer',
      what: 'metamorphic relations between queries',
    },
  ],
  papers: [
    {
      authors: 'K. Claessen, J. Hughes',
      title: 'QuickCheck: A Lightweight Tool for Random Testing of Haskell Programs',
      venue: 'ICFP',
      year: 2000,
      url: 'https://doi.org/10.1145/351240.351266',
    },
    {
      authors: 'J. Hughes, B. C. Pierce, T. Arts, U. Norell',
      title: 'Mysteries of Dropbox: Property-Based Testing of a Distributed Synchronization Service',
      venue: 'ICST',
      year: 2016,
      url: 'https://doi.org/10.1109/ICST.2016.37',
    },
    {
      authors: 'T. Y. Chen, F.-C. Kuo, H. Liu, P.-L. Poon, D. Towey, T. H. Tse, Z. Q. Zhou',
      title: 'Metamorphic Testing: A Review of Challenges and Opportunities',
      venue: 'ACM Computing Surveys 51(1)',
      year: 2018,
      url: 'https://doi.org/10.1145/3143561',
    },
    {
      authors: 'A. Zeller, R. Hildebrandt',
      title: 'Simplifying and Isolating Failure-Inducing Input',
      venue: 'IEEE Transactions on Software Engineering 28(2)',
      year: 2002,
      url: 'https://doi.org/10.1109/32.988498',
    },
  ],
  cost: 'hours a property; seconds to minutes a run',
  checklist: [
    'the property or relation in one sentence',
    'what is generated, and how often the interesting cases come up: count them',
    'the reference, and what it shares with the system',
    'how often the property was evaluated; zero is no pass',
  ],
}
