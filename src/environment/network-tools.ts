import { look, lookInNamespace } from './command.js'
import type { Capability, Probe } from './probe.js'

/** Something of the kernel that is tried in a namespace of its own: only that shows whether it is there. */
interface Trial {
  readonly name: string
  readonly command: readonly [string, ...string[]]
  readonly input?: string
  /** What it means when the command succeeds. */
  readonly works: string
  readonly blocks: string
  readonly install: string
}

function trial({ name, command: [file, ...args], input, works, blocks, install }: Trial): Probe {
  return async (): Promise<Capability> => {
    const { ok, line } = await lookInNamespace(file, args, input)
    return { name, present: ok, detail: ok ? works : line, blocks, install }
  }
}

const iptables = (...rule: string[]): [string, ...string[]] => ['iptables', '-A', 'INPUT', ...rule]
const qdisc = (...discipline: string[]): [string, ...string[]] => [
  ...(['tc', 'qdisc', 'add', 'dev', 'lo', 'root'] as const),
  ...discipline,
]

const kernelTrials: readonly Trial[] = [
  {
    name: 'nftables',
    command: ['nft', '-f', '-'],
    input: 'add table inet nemesis_probe\n',
    works: 'a table could be added',
    blocks: 'partitions of containers and of network namespaces',
    install: 'apt-get install nftables; it needs root and a kernel with nf_tables',
  },
  {
    name: 'nft ct',
    command: ['nft', '-f', '-'],
    input:
      'table inet nemesis_probe {\nchain in {\ntype filter hook input priority 0;\nct direction original accept\n}\n}\n',
    works: 'connections could be told apart',
    blocks: "partitions with level: 'connections' or established: 'left'",
    install: 'use a kernel with nf_conntrack and nft_ct',
  },
  {
    name: 'nft numgen',
    command: ['nft', '-f', '-'],
    input:
      'table inet nemesis_probe {\nchain in {\ntype filter hook input priority 0;\nnumgen random mod 2 < 1 accept\n}\n}\n',
    works: 'a draw could be added',
    blocks: 'nothing: packets are lost by iptables instead, by NFQUEUE, or by tc netem',
    install: 'use a kernel with nft_numgen',
  },
  {
    name: 'iptables statistic',
    command: iptables('-m', 'statistic', '--mode', 'random', '--probability', '0.5', '-j', 'DROP'),
    works: 'a draw could be added',
    blocks: 'nothing: packets are lost by nft, by NFQUEUE, or by tc netem',
    install: 'apt-get install iptables; the kernel needs xt_statistic',
  },
  {
    name: 'iptables NFQUEUE',
    command: iptables('-j', 'NFQUEUE', '--queue-num', '7', '--queue-bypass'),
    works: 'a rule could be added',
    blocks: 'latency by a queue, which is the first choice; tc netem does it where the kernel has that',
    install: 'apt-get install iptables; the kernel needs xt_NFQUEUE',
  },
  {
    name: 'tc tbf',
    command: qdisc('tbf', 'rate', '1mbit', 'burst', '16kb', 'latency', '200ms'),
    works: 'a rate could be set',
    blocks: 'bandwidth by the kernel, which is the first choice; NFQUEUE does it instead',
    install: 'apt-get install iproute2; the kernel needs sch_tbf and sch_htb',
  },
  {
    name: 'tc netem',
    command: qdisc('netem', 'delay', '1ms'),
    works: 'a delay could be added',
    blocks: 'latency and packet loss where NFQUEUE cannot be had either',
    install: 'apt-get install iproute2; the kernel needs the sch_netem module',
  },
]

/** Entering the network namespace of a container from the host. */
const nsenter: Probe = async () => {
  const { ok, line } = await look('nsenter', ['--version'])
  return {
    name: 'nsenter',
    present: ok,
    detail: line,
    blocks: 'network faults on containers from the host; a helper container does it instead',
    install: 'apt-get install util-linux',
  }
}

/** A C compiler, which builds the small program that serves an NFQUEUE. */
const compiler: Probe = async () => {
  const { ok, line } = await look('cc', ['--version'])
  return {
    name: 'cc',
    present: ok,
    detail: line,
    blocks: 'whatever NFQUEUE does',
    install: 'apt-get install gcc libc6-dev linux-libc-dev',
  }
}

/** What network faults are made of, each tried. */
export const networkTools: readonly Probe[] = [nsenter, ...kernelTrials.map(trial), compiler]
