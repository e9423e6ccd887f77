/** A side of a system that a change shows on, with the files that say so. */
export interface Surface {
  readonly name: string
  readonly files: readonly string[]
}

/** Words in paths by which a surface is told. */
const surfaces: readonly (readonly [name: string, paths: RegExp])[] = [
  [
    'network API',
    /\.proto$|openapi|swagger|graphql|(?:^|[/_-])(?:api|rpc|grpc|http|routes?|handlers?|controllers?|endpoints?)(?=[/_.-])/i,
  ],
  ['client library', /(?:^|[/_-])(?:client|sdk)s?(?=[/_.\dv-])/i],
  [
    'replication and consensus',
    /raft|paxos|consensus|replica|quorum|election|leader|gossip|membership|(?:^|[/_-])peers?(?=[/_.-])/i,
  ],
  [
    'storage',
    /(?:^|[/_-])(?:storage|stores?|wal|db|database|engine|mvcc|snapshots?|persist\w*|disk|lsm|sst)(?=[/_.-])|\.sql$/i,
  ],
  ['schema and migration', /migrat|schema/i],
  ['queues, streams and feeds', /queue|stream|kafka|topic|consumer|producer|outbox|watch|cdc|pub-?sub/i],
  ['transactions and locks', /(?:^|[/_-])(?:txn|tx|transactions?|locks?|leases?|concurrency)(?=[/_.-])/i],
  ['background jobs', /scheduler|cron|worker|compact|(?:^|[/_-])(?:jobs?|gc|cleanup)(?=[/_.-])/i],
  ['authentication and quotas', /auth|token|permission|rbac|quota|rate-?limit|throttl|tenant/i],
  ['caches', /cache/i],
  ['clocks and time-outs', /clock|timeout|deadline|retry|backoff|heartbeat/i],
  ['configuration', /(?:^|[/_-])config(?=[/_.-]|s?$)|\.(?:ya?ml|toml|ini|conf|env|properties)$/i],
  ['deployment', /Dockerfile|compose|helm|chart|k8s|kubernetes|terraform|\.tf$|deploy/i],
]

/** The surfaces that changed files belong to, as far as their paths tell. */
export function surfacesOf(files: readonly string[]): Surface[] {
  return surfaces.flatMap(([name, paths]) => {
    const touched = files.filter((file) => paths.test(file))
    return touched.length === 0 ? [] : [{ name, files: touched }]
  })
}
