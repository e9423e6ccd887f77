import { join } from 'node:path'
import { cpuGroupOf } from '../systems/cpu/control-group.js'
import { textOf } from '../systems/cpu/text-of.js'
import { composeMissing, findCompose } from '../systems/docker/compose-command.js'
import { findExecutable } from '../systems/process/executable.js'
import { ToxiproxyClient } from '../systems/toxiproxy/client.js'
import { usualUrl } from '../systems/toxiproxy/options.js'
import { lookInNamespace } from './command.js'
import type { Probe } from './probe.js'

/** Docker Compose, as a plug-in of the docker command or a program of its own. */
const compose: Probe = async ({ env }) => {
  const command = await findCompose(env)
  return {
    name: 'docker compose',
    present: command !== null,
    detail: command === null ? 'neither docker compose nor docker-compose runs' : command.join(' '),
    blocks: 'docker.compose() systems',
    install: composeMissing.hint,
  }
}

/** What joins network namespaces, tried in one that nothing else is in. */
const bridges: Probe = async () => {
  const commands = 'link add probe0 type bridge\nlink add probe1 type veth peer name probe2\n'
  const { ok, line } = await lookInNamespace('ip', ['-batch', '-'], commands)
  const root = process.getuid?.() === 0
  return {
    name: 'network namespaces',
    present: ok && root,
    detail: !ok ? line : root ? 'a bridge and a link could be added' : 'only root may give them to processes',
    blocks: "processes({ network: 'namespaces' })",
    install:
      'apt-get install iproute2 util-linux nftables, and run as root; the kernel needs bridge and veth',
  }
}

/** A Toxiproxy server: one that answers where it usually does, or its program. */
const toxiproxyServer: Probe = async ({ cwd, env }) => {
  const version = await new ToxiproxyClient(usualUrl).version().catch(() => null)
  const program = await findExecutable('toxiproxy-server', { cwd, path: env['PATH'] ?? '' })
  return {
    name: 'toxiproxy',
    present: version !== null || program !== null,
    detail:
      version === null
        ? (program ?? `nothing answers at ${usualUrl}, and toxiproxy-server is not in PATH`)
        : `${version} answers at ${usualUrl}`,
    blocks: 'toxiproxy() systems, unless their server runs elsewhere; other systems have faults of their own',
    install: 'get it from the releases of Toxiproxy; toxiproxy-server -proxy-metrics',
  }
}

/** The kernel's way of sharing CPU time out, and whether groups of our own can be made. */
const cpuGroups: Probe = async () => {
  const group = await cpuGroupOf(process.pid)
  const root = process.getuid?.() === 0
  const stat = group === null ? null : await textOf(join(group.directory, 'cpu.stat'))
  return {
    name: 'CPU quota',
    present: stat !== null && root,
    detail:
      group === null || stat === null
        ? 'no control group for CPU time can be seen'
        : root
          ? `control groups, version ${group.version}`
          : 'only root may make control groups',
    blocks: "slow-follower with by: 'cpu' on processes; by: 'pause' does without",
    install: 'run as root on Linux, with the cpu controller of control groups mounted',
  }
}

/** What single kinds of systems need. */
export const providerTools: readonly Probe[] = [bridges, compose, toxiproxyServer, cpuGroups]
