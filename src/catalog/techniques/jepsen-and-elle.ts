import type { Technique } from '../technique.js'

export const jepsenAndElle: Technique = {
  id: 'jepsen-and-elle',
  title: 'Histories under faults: Jepsen and Elle',
  summary:
    'Clients work on a live system while faults come and go. Everything that they asked and were told is recorded, and a checker decides whether any run that the claim allows could have given these answers.',
  when: [
    'a claim is about what clients may see: linearizability, isolation, session guarantees, exactly once',
    'the system replicates, elects leaders or moves data, and has to keep the claim meanwhile',
    'nobody can read all of the code, or it is in a language that other techniques do not reach',
  ],
  findsWell: [
    'stale reads, lost updates and lost acknowledged writes round failovers',
    'anomalies of transactions that are named and shown with the transactions in question',
    'claims that were never true, also without a fault',
  ],
  misses: [
    'what the workload never asks and what the faults never meet',
    'wrong states that no client reads before the end of the run',
    'rare interleavings: the network and the scheduler decide them, not the seed',
    'whatever needs weeks, or more data than a run can write',
  ],
  here: 'This package: workloads, faults with evidence, recorded histories, checkers, verdicts.',
  tools: [
    {
      name: 'Jepsen',
      url: 'https://github.com/jepsen-io/jepsen',
      what: 'the framework of this name, in Clojure, with its workloads and faults',
    },
    {
      name: 'Elle',
      url: 'https://github.com/jepsen-io/elle',
      what: 'finds anomalies of transactions as cycles of dependencies',
    },
    {
      name: 'Porcupine',
      url: 'https://github.com/anishathalye/porcupine',
      what: 'linearizability checker in Go, with pictures of histories',
    },
    {
      name: 'Maelstrom',
      url: 'https://github.com/jepsen-io/maelstrom',
      what: 'workloads for small systems on one machine, to learn by',
    },
  ],
  papers: [
    {
      authors: 'M. P. Herlihy, J. M. Wing',
      title: 'Linearizability: A Correctness Condition for Concurrent Objects',
      venue: 'ACM TOPLAS',
      year: 1990,
      url: 'https://doi.org/10.1145/78969.78972',
    },
    {
      authors: 'A. Horn, D. Kroening',
      title: 'Faster Linearizability Checking via P-Compositionality',
      venue: 'FORTE',
      year: 2015,
      url: 'https://doi.org/10.1007/978-3-319-19195-9_4',
    },
    {
      authors: 'A. Adya, B. Liskov, P. O’Neil',
      title: 'Generalized Isolation Level Definitions',
      venue: 'ICDE',
      year: 2000,
      url: 'https://doi.org/10.1109/ICDE.2000.839388',
    },
    {
      authors: 'K. Kingsbury, P. Alvaro',
      title: 'Elle: Inferring Isolation Anomalies from Experimental Observations',
      venue: 'PVLDB 14(3)',
      year: 2020,
      url: 'https://doi.org/10.14778/3430915.3430918',
    },
    {
      authors: 'D. B. Terry, A. J. Demers, K. Petersen, M. Spreitzer, M. Theimer, B. Welch',
      title: 'Session Guarantees for Weakly Consistent Replicated Data',
      venue: 'PDIS',
      year: 1994,
      url: 'https://doi.org/10.1109/PDIS.1994.331722',
    },
  ],
  cost: 'days for the first client and workload, hours for each further claim; minutes a run',
  checklist: [
    'the model, and the checker that fits it and the category of the claim',
    'the outcome of every error: failed only where it is certain that nothing happened',
    'unique values, or the reason why repeated ones do no harm',
    'faults by name, with the evidence on both sides that they landed',
    'how many operations must meet the fault, and when the system counts as at rest again',
    'at least three seeds',
  ],
}
