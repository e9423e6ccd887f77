import { look, lookInNamespace } from './command.js'
import type { Probe } from './probe.js'

/** Entering the network namespace of a container from the host. */
export const nsenter: Probe = async () => {
  const { ok, line } = await look('nsenter', ['--version'])
  return {
    name: 'nsenter',
    present: ok,
    detail: line,
    blocks: 'network faults on containers from the host; a helper container does it instead',
    install: 'apt-get install util-linux',
  }
}

/** nftables, tried by adding a table in a namespace of its own. */
export const nft: Probe = async () => {
  const { ok, line } = await lookInNamespace('nft', ['-f', '-'], 'add table inet nemesis_probe\n')
  return {
    name: 'nftables',
    present: ok,
    detail: ok ? 'a table could be added' : line,
    blocks: 'partitions of containers from the host',
    install: 'apt-get install nftables; it needs root and a kernel with nf_tables',
  }
}

/** Traffic control with netem, tried in a namespace of its own: many kernels lack it. */
export const netem: Probe = async () => {
  const add = ['qdisc', 'add', 'dev', 'lo', 'root', 'netem', 'delay', '1ms']
  const { ok, line } = await lookInNamespace('tc', add)
  return {
    name: 'tc netem',
    present: ok,
    detail: ok ? 'a delay could be added' : line,
    blocks: 'latency by the kernel; NFQUEUE or the proxy does it instead',
    install: 'apt-get install iproute2; the kernel needs the sch_netem module',
  }
}

/** The NFQUEUE target of iptables, tried in a namespace of its own. */
export const nfqueue: Probe = async () => {
  const add = ['-A', 'OUTPUT', '-j', 'NFQUEUE', '--queue-num', '7', '--queue-bypass']
  const { ok, line } = await lookInNamespace('iptables', add)
  return {
    name: 'iptables NFQUEUE',
    present: ok,
    detail: ok ? 'a rule could be added' : line,
    blocks: 'latency on containers where the kernel has no netem',
    install: 'apt-get install iptables; the kernel needs xt_NFQUEUE',
  }
}

/** A C compiler, which builds the small program that serves an NFQUEUE. */
export const compiler: Probe = async () => {
  const { ok, line } = await look('cc', ['--version'])
  return {
    name: 'cc',
    present: ok,
    detail: line,
    blocks: 'latency by NFQUEUE',
    install: 'apt-get install gcc libc6-dev linux-libc-dev',
  }
}
