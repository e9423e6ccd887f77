import type { Capability } from '../environment/probe.js'
import type { FaultName } from '../nemesis/faults/index.js'
import { faultVocabulary, namedIn } from './lint/names.js'
import { isExplicitNone, isOpen } from './lint/rule.js'
import type { EnvironmentRow, Plan } from './plan.js'

/** Something that a plan needs of a machine. */
export interface Need {
  readonly what: string
  /** `unknown`: it is nothing that can be probed. */
  readonly state: 'there' | 'missing' | 'unknown'
  /** What was found, or why it does not do. */
  readonly detail: string
  /** The scenarios that cannot run, or not as planned, without it. */
  readonly scenarios: readonly string[]
  readonly install: string | null
}

/** How the capabilities of this machine are called in plans, where that is not by their own name. */
const alsoCalled: Readonly<Record<string, RegExp>> = {
  'docker engine': /\bdocker\b(?![ -]?compose)/i,
  'docker compose': /\b(?:docker[ -]?)?compose\b/i,
  node: /\bnode(?:\.?js)?\b/i,
  nftables: /\bnft(?:ables)?\b/i,
  root: /\broot\b/i,
  platform: /\b(?:linux|posix|macos|wsl)\b/i,
  FUSE: /\bfuse\b/i,
  cc: /\b(?:gcc|cc|c compiler)\b/i,
}

/** Capabilities of which a fault needs one; a fault that is not here needs nothing that every system does not have. */
const faultNeeds: Readonly<Partial<Record<FaultName, readonly string[]>>> = {
  kill: ['platform', 'docker engine'],
  stop: ['platform', 'docker engine'],
  pause: ['platform', 'docker engine'],
  restart: ['platform', 'docker engine'],
  'rolling-restart': ['platform', 'docker engine'],
  'packet-loss': ['nft numgen', 'iptables statistic', 'iptables NFQUEUE', 'tc netem'],
  bandwidth: ['tc tbf', 'iptables NFQUEUE'],
  'disk-full': ['mount', 'FUSE', 'strace'],
  'slow-disk': ['strace', 'FUSE'],
  'fsync-failure': ['strace', 'FUSE'],
  'bit-flip': ['FUSE'],
  'power-loss': ['FUSE', 'ext4 on a loop device'],
  'clock-skew': ['clocks of processes'],
  'clock-rate': ['clocks of processes'],
  partition: ['nftables'],
  'asymmetric-partition': ['nftables'],
  'split-brain': ['nftables'],
  latency: ['iptables NFQUEUE', 'tc netem'],
}

/** Faults that need nothing of the machine where traffic goes through proxies. */
const cuts: readonly FaultName[] = ['partition', 'asymmetric-partition', 'split-brain', 'latency']

/** What the environment section and the faults of a plan need, held against what this machine offers. */
export function needsOf(plan: Plan, capabilities: readonly Capability[]): Need[] {
  const rows = plan.environment.filter(({ requirement }) => requirement !== null && !isOpen(requirement))
  return [...rows.map((row) => needOfRow(row, capabilities)), ...needsOfFaults(plan, capabilities)]
}

function needOfRow(
  { requirement, floor, scenarios, install }: EnvironmentRow,
  capabilities: readonly Capability[],
): Need {
  const what = requirement?.text ?? ''
  const stated = floor === null || isOpen(floor) || isExplicitNone(floor.text) ? null : floor.text
  const need = { what, scenarios: scenarios.map(({ id }) => id), install: install?.text ?? null }
  const capability = capabilities.find(({ name }) => isCalled(what, name))
  if (capability === undefined) {
    return {
      ...need,
      state: 'unknown',
      detail: `cannot be probed: look yourself${stated === null ? '' : ` for ${stated} or later`}`,
    }
  }
  if (!capability.present) {
    return {
      ...need,
      state: 'missing',
      detail: capability.detail,
      install: need.install ?? capability.install,
    }
  }
  const older = stated !== null && isOlder(capability.detail, stated)
  return older
    ? { ...need, state: 'missing', detail: `${capability.detail}, and the plan asks for ${stated} or later` }
    : { ...need, state: 'there', detail: capability.detail }
}

function isCalled(text: string, name: string): boolean {
  const words =
    alsoCalled[name] ??
    new RegExp(String.raw`(?<![\w-])${name.replaceAll(/[^\w ]/g, String.raw`\$&`)}(?![\w-])`, 'i')
  return words.test(text)
}

/** Compares the first version number of each text, part by part; without two numbers nothing is older. */
function isOlder(found: string, floor: string): boolean {
  const [have, want] = [found, floor].map((text) => /\d+(?:\.\d+)*/.exec(text)?.[0].split('.').map(Number))
  if (have === undefined || want === undefined) return false
  const differing = want.findIndex((part, index) => (have[index] ?? 0) !== part)
  return differing !== -1 && (have[differing] ?? 0) < (want[differing] ?? 0)
}

function needsOfFaults({ scenarios }: Plan, capabilities: readonly Capability[]): Need[] {
  const users = new Map<string, string[]>()
  for (const { id, faults } of scenarios) {
    if (faults === null || isOpen(faults)) continue
    for (const name of namedIn(faults.text, faultVocabulary).known) {
      users.set(name, [...(users.get(name) ?? []), id])
    }
  }
  return [...users].flatMap(([name, ids]) => needOfFault(name as FaultName, ids, capabilities) ?? [])
}

function needOfFault(
  name: FaultName,
  scenarios: readonly string[],
  capabilities: readonly Capability[],
): Need | null {
  const ways =
    faultNeeds[name]?.flatMap((wanted) => capabilities.find((one) => one.name === wanted) ?? []) ?? []
  const [first] = ways
  if (first === undefined) return null
  const what = `fault ${name}`
  const present = ways.find((way) => way.present)
  if (present !== undefined) {
    return { what, state: 'there', detail: `by ${present.name}: ${present.detail}`, scenarios, install: null }
  }
  const reasons = ways.map((way) => `${way.name}: ${way.detail}`).join('; ')
  const caveat = cuts.includes(name) ? '; TCP proxies between processes do without' : ''
  return { what, state: 'missing', detail: `${reasons}${caveat}`, scenarios, install: first.install }
}
