import { findExecutable } from '../systems/process/executable.js'
import type { Probe } from './probe.js'

/** Real systems that the examples drive; looked for in PATH. */
export const servers: readonly Probe[] = [
  server('redis-server', 'examples/redis-failover', 'apt-get install redis-server'),
  server('redis-sentinel', 'failover by Sentinel', 'apt-get install redis-sentinel'),
  server('etcd', 'examples/etcd-docker, whose image is made of it', 'apt-get install etcd-server'),
]

function server(name: string, blocks: string, install: string): Probe {
  return async ({ cwd, env }) => {
    const file = await findExecutable(name, { cwd, path: env['PATH'] ?? '' })
    return { name, present: file !== null, detail: file ?? 'not in PATH', blocks, install }
  }
}
