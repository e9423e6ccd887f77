import { nemesis, processes, system, type Nemesis, type System } from 'vitest-nemesis'
import { certainlyFailed, PostgresClient, port, withClient } from './postgres-client.js'
import {
  databaseFile,
  isAt,
  dumpTable,
  loadDump,
  dropCopy,
  copiedRows,
  vacuum,
  vacuumed,
} from './postgres-hooks.js'
import { missingPrograms, programs } from './postgres-programs.js'

/**
 * The server refuses to run as root and takes SIGTERM for "when the last client has left", so the first process of the node
 * runs it as the user `postgres` where it is root itself, and asks it to end its sessions when it is told to end.
 */
const startScript = `
dir=$0/data bin=$1 host=$2 port=$3
as=
if [ "$(id -u)" = 0 ]; then
  chown postgres "$0"
  as='setpriv --reuid=postgres --regid=postgres --init-groups'
fi
if [ ! -s "$dir/ready" ]; then
  rm -rf "$dir"
  $as "$bin/initdb" -D "$dir" -U postgres --auth=trust --data-checksums -E UTF8 --locale=C >/dev/null || exit 1
  echo 'host all all all trust' >>"$dir/pg_hba.conf"
  echo yes >"$dir/ready"
  sync "$dir/pg_hba.conf" "$dir/ready" "$dir"
fi
$as "$bin/postgres" -D "$dir" -h "$host" -p "$port" -c unix_socket_directories= -c fsync=on \\
  -c tcp_keepalives_idle=5 -c client_connection_check_interval=1s &
server=$!
trap 'kill -INT $server' TERM
while kill -0 $server 2>/dev/null; do wait $server; code=$?; done
exit $code
`

/** One server of PostgreSQL as a process, in a network namespace of its own and on a disk that can lose its power. */
export function postgres(): System<PostgresClient> {
  const nodes = processes({
    command: ({ self, dataDir }) => [
      ...['/bin/sh', '-c', startScript, dataDir],
      ...[programs() ?? '', self(port).host, String(port)],
    ],
    count: 1,
    ports: [port],
    network: 'namespaces',
    disk: 'fuse',
    stopGraceMs: 5_000,
  })
  return system('postgres', {
    nodes: { ...nodes, missing: async () => [...(await nodes.missing()), ...missingPrograms()] },
    connect: (node) => {
      isAt(node.address(port))
      return PostgresClient.connect(node.address(port))
    },
    ready: async ([node]) => {
      if (node === undefined) return false
      await withClient(node.address(port), (client) => client.setUp())
      return true
    },
    clock: (node) => withClient(node.address(port), (client) => client.time()),
    classify: (error) => (certainlyFailed(error) ? 'failed' : 'unknown'),
    settle: '60s',
  })
}

/** How long a fault may take to show when the machine is busy with other things. */
const landWithin = '15s'

/** Every fault of the taxonomy that a server without others can have and come back from; see README.md for the rest. */
export const postgresFaults: readonly Nemesis[] = [
  nemesis('kill', { node: 'n1', landWithin }),
  nemesis('stop', { node: 'n1', landWithin }),
  nemesis('pause', { node: 'n1', landWithin }),
  nemesis('restart', { node: 'n1', landWithin }),
  nemesis('partition', { groups: [['n1'], ['clients']], landWithin }),
  nemesis('asymmetric-partition', { from: 'n1', to: 'clients', landWithin }),
  nemesis('packet-loss', { on: 'n1', share: 0.3, landWithin }),
  nemesis('latency', { on: 'n1', delay: '80ms', jitter: '20ms', landWithin }),
  nemesis('bandwidth', { on: 'n1', rate: '512kbit', landWithin }),
  nemesis('disk-full', { node: 'n1', landWithin }),
  nemesis('power-loss', { node: 'n1', landWithin }),
  nemesis('slow-disk', { node: 'n1', delay: '100ms' }),
  nemesis('fsync-failure', { node: 'n1', landWithin }),
  nemesis('corruption', { node: 'n1', file: databaseFile, overwrite: 64, offset: 0, landWithin }),
  nemesis('backup-restore-race', {
    node: 'n1',
    backup: dumpTable,
    restore: loadDump,
    proof: copiedRows,
    undo: dropCopy,
  }),
  nemesis('clock-skew', { node: 'n1', offset: '-1h' }),
  nemesis('clock-rate', { node: 'n1', factor: 0.5, landWithin }),
  nemesis('compaction', { node: 'n1', trigger: vacuum, progress: vacuumed }),
]
