import type { Technique } from '../technique.js'

export const crashRecoveryAndUpgrade: Technique = {
  id: 'crash-recovery-and-upgrade',
  title: 'Crash recovery and upgrade',
  summary:
    'Nodes are ended at bad moments, lose what they had not synced, meet damaged files, and start again, perhaps in another version. What was acknowledged before must be there after.',
  when: [
    'something is acknowledged because it is on a disk, or on the disks of a quorum',
    'formats of files, logs or messages change between versions that run side by side',
    'backups, snapshots and compaction are part of what is promised',
  ],
  findsWell: [
    'acknowledged writes that only the page cache held',
    'recovery that replays twice, or not at all',
    'replicas that differ after a restart',
    'versions that misread each other, and rollbacks that cannot read what the upgrade wrote',
  ],
  misses: [
    'what a kill alone cannot show: the page cache survives it, so that lost syncs need a power loss',
    'damage that the file system hides from the process',
    'versions and data of customers that nobody has in the test',
  ],
  here: 'This package: `kill`, `power-loss`, `fsync-failure`, `corruption`, `bit-flip`, `disk-full`, `rolling-upgrade`, `mixed-version`, `backup-restore-race`; `no-lost-ack`, `replay-equivalence` and `reconciliation` as oracles.',
  tools: [
    {
      name: 'LazyFS',
      url: 'https://github.com/dsrhaslab/lazyfs',
      what: 'FUSE file system that forgets what was not synced',
    },
    {
      name: 'ALICE',
      url: 'https://github.com/madthanu/alice',
      what: 'finds crash states that an application’s system calls allow',
    },
    {
      name: 'CrashMonkey',
      url: 'https://github.com/utsaslab/crashmonkey',
      what: 'tests crash consistency of file systems',
    },
    {
      name: 'libfaketime',
      url: 'https://github.com/wolfcw/libfaketime',
      what: 'another time for a process, by a preloaded library',
    },
  ],
  papers: [
    {
      authors:
        'T. S. Pillai, V. Chidambaram, R. Alagappan, S. Al-Kiswany, A. C. Arpaci-Dusseau, R. H. Arpaci-Dusseau',
      title:
        'All File Systems Are Not Created Equal: On the Complexity of Crafting Crash-Consistent Applications',
      venue: 'OSDI',
      year: 2014,
      url: 'https://www.usenix.org/conference/osdi14/technical-sessions/presentation/pillai',
    },
    {
      authors: 'M. Zheng, J. Tucek, D. Huang, et al.',
      title: 'Torturing Databases for Fun and Profit',
      venue: 'OSDI',
      year: 2014,
      url: 'https://www.usenix.org/conference/osdi14/technical-sessions/presentation/zheng_mai',
    },
    {
      authors: 'A. Ganesan, R. Alagappan, A. C. Arpaci-Dusseau, R. H. Arpaci-Dusseau',
      title:
        'Redundancy Does Not Imply Fault Tolerance: Analysis of Distributed Storage Reactions to Single Errors and Corruptions',
      venue: 'FAST',
      year: 2017,
      url: 'https://www.usenix.org/conference/fast17/technical-sessions/presentation/ganesan',
    },
    {
      authors: 'Y. Gao, W. Dou, F. Qin, et al.',
      title: 'An Empirical Study on Crash Recovery Bugs in Large-Scale Distributed Systems',
      venue: 'ESEC/FSE',
      year: 2018,
      url: 'https://doi.org/10.1145/3236024.3236030',
    },
    {
      authors: 'A. Rebello, Y. Patel, R. Alagappan, A. C. Arpaci-Dusseau, R. H. Arpaci-Dusseau',
      title: 'Can Applications Recover from fsync Failures?',
      venue: 'USENIX ATC',
      year: 2020,
      url: 'https://www.usenix.org/conference/atc20/presentation/rebello',
    },
    {
      authors: 'Y. Zhang, J. Yang, Z. Jin, et al.',
      title: 'Understanding and Detecting Software Upgrade Failures in Distributed Systems',
      venue: 'SOSP',
      year: 2021,
      url: 'https://doi.org/10.1145/3477132.3483577',
    },
    {
      authors: 'M. Ramos, J. Azevedo, K. Kingsbury, J. Pereira, T. Esteves, R. Macedo, J. Paulo',
      title: 'When Amnesia Strikes: Understanding and Reproducing Data Loss Bugs with Fault Injection',
      venue: 'PVLDB 17(11)',
      year: 2024,
      url: 'https://doi.org/10.14778/3681954.3681980',
    },
  ],
  cost: 'hours for kills, a day for disks and versions; minutes a run, more where data is large',
  checklist: [
    'when a write counts as durable: in memory, on one disk, on a quorum',
    'kill or power loss, and the disk that makes the difference',
    'which files may be damaged, and what the node must do about it',
    'the pair of versions, the order of nodes, and the way back',
    'what is compared after recovery, and when the system counts as recovered',
  ],
}
