import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, stat, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The magic number of namespaces in statfs(2). */
const nsfs = 0x6e736673

/** Names of the network namespaces that the runs have called after themselves. */
export async function namedNamespaces(runs) {
  const tags = runs.map((run) => createHash('sha256').update(run).digest('hex').slice(0, 8))
  const names = await readdir('/run/netns').catch(() => [])
  return names.filter((name) => tags.some((tag) => name.startsWith(`nemesis-${tag}`)))
}

/** Removes namespaces by name; links and rules go with them. */
export async function removeNamespaces(names) {
  for (const name of names) await run('ip', ['netns', 'delete', name])
}

/** This machine's ends of the links of this package, each with the name of the namespace that its other end is in, or null. */
export async function links() {
  const [devices, numbers] = await Promise.all([
    json('ip', '-j', '-d', 'link', 'show', 'type', 'veth'),
    json('ip', '-j', 'netns', 'list-id'),
  ])
  const nameOf = new Map(numbers.map(({ nsid, name }) => [nsid, name ?? null]))
  return devices
    .filter(({ ifname }) => ifname?.startsWith('nemesis'))
    .map(({ ifname, link_netnsid: nsid }) => ({ link: ifname, into: nameOf.get(nsid) ?? null }))
}

/** The number of the network namespace that a path leads to; null when it leads to none any more. */
export async function namespaceAt(path) {
  try {
    // What the engine leaves of a namespace that has ended is a plain file.
    const isNamespace = (await statfs(path)).type === nsfs
    return isNamespace ? (await stat(path)).ino : null
  } catch {
    // Gone by now, or not ours to look at.
    return null
  }
}

/** Rules of this package in a namespace: its nft tables, its iptables chains with their queues, and its disciplines, in words. */
export async function rulesIn(path) {
  const [tables, disciplines, ...chains] = await Promise.all([
    inside(path, 'nft', 'list', 'tables'),
    inside(path, 'tc', 'qdisc', 'show'),
    inside(path, 'iptables-save', '-t', 'filter'),
    inside(path, 'iptables-save', '-t', 'mangle'),
  ])
  return [
    ...tables.matchAll(/^table \w+ (nemesis_\w+)/gm),
    ...disciplines.matchAll(/^qdisc (\w+ 6e65: .*)$/gm),
    ...disciplines.matchAll(/^qdisc (.* dev nem_.*)$/gm),
    ...chains.join('\n').matchAll(/^:(NEMESIS_\w+)/gm),
    ...chains.join('\n').matchAll(/^-A (.*-j NFQUEUE.*)$/gm),
  ].map(([, rule]) => `rule ${rule}`)
}

/** Rules of this package in the namespace of this machine itself, where it must never put any. */
export function rulesOfTheHost() {
  return rulesIn('/proc/1/ns/net')
}

async function inside(path, ...argv) {
  try {
    return (await run('nsenter', [`--net=${path}`, ...argv], { timeout: 5_000 })).stdout
  } catch {
    // The namespace has ended meanwhile, and every rule with it; a tool that is not there has made no rule.
    return ''
  }
}

async function json(file, ...argv) {
  const { stdout } = await run(file, argv, { timeout: 5_000 }).catch(() => ({ stdout: '' }))
  return JSON.parse(stdout.trim() || '[]')
}
