import { expect, it } from 'vitest'
import { requires } from '../support/requirements.js'

/** A row of the table that `npm run faults` prints. */
interface Row {
  readonly fault: string
  readonly mechanism: string
  run(): Promise<string>
}

const table = new URL('../../scripts/faults/cluster.mjs', import.meta.url).href

/** What the evidence of each must say; the systems are processes in network namespaces, with real servers in them. */
const evidence: readonly (readonly [fault: string, mechanism: string, line: RegExp])[] = [
  [
    'rolling-restart',
    'leader first, etcd, processes',
    /1 of 3, the leader then \(injector\).*start time .* -> .*port while it was down answers -> refused/,
  ],
  [
    'split-brain',
    'redis with sentinels, processes',
    /dropped 0 -> [1-9]\d* \(injector\).*leaders at one time 1 -> 2.*leader r1 -> r1, r[23]/,
  ],
  [
    'slow-follower',
    'pauses, etcd, processes',
    /pauses 0 -> [1-9]\d* \(injector\).*median now\) \d+ -> [1-9]/,
  ],
  ['mixed-version', 'a server of two releases, processes', /n2 version it reports 1\.0 -> 2\.0 \(victim\)/],
  [
    'rolling-upgrade',
    'a server of two releases, processes',
    /1 of 3, the leader then.*1\.0 -> 2\.0 \(victim\)/,
  ],
  ['config-divergence', 'redis, processes', /r2 configuration it reports 0 -> 15000000 \(victim\)/],
  ['credential-divergence', 'redis, processes', /link up -> down \(victim\)/],
  ['compaction', 'etcd, processes', /progress 0 -> [1-9]\d* \(victim\)/],
  ['reconfiguration', 'add, etcd, processes, one to spare', /members 3: .* -> 4: .*\(victim\)/],
  ['reconfiguration', 'remove, etcd, processes', /members 3: .* -> 2: .*\(victim\)/],
  [
    'reconfiguration',
    'replace, etcd, processes',
    /members after the removal 3: .* -> 2: .*members 3: .* -> 3: .*\(victim\)/,
  ],
]

requires(
  'root',
  'linux',
  'nft',
  'etcd',
  'redis',
)('cluster faults on etcd, Redis and a server of two releases', () => {
  it.each(evidence)('%s: %s', { timeout: 300_000 }, async (fault, mechanism, line) => {
    const { default: rows } = (await import(table)) as { default: readonly Row[] }
    const row = rows.find((one) => one.fault === fault && one.mechanism === mechanism)
    expect(await row?.run()).toMatch(line)
  })
})
