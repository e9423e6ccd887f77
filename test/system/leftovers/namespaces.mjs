import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readlink, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The number of a process's network namespace; null when it is gone. */
export async function namespaceOf(pid) {
  try {
    return (await readlink(`/proc/${pid}/ns/net`)).replaceAll(/\D/g, '')
  } catch {
    // Gone, or not ours to look at.
    return null
  }
}

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

/**
 * Every network namespace that a process or a mount of the engine keeps alive: its number, and a path to enter it by. Those
 * that have a name are left out.
 */
export async function livingNamespaces() {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const living = new Map()
  for (const pid of pids) {
    const namespace = await namespaceOf(pid)
    if (namespace !== null) living.set(namespace, `/proc/${pid}/ns/net`)
  }
  for (const [number, path] of await mountedNamespaces('/run/docker/netns')) living.set(number, path)
  for (const [number] of await mountedNamespaces('/run/netns')) living.delete(number)
  return living
}

async function mountedNamespaces(directory) {
  const names = await readdir(directory).catch(() => [])
  const found = await Promise.all(
    names.map(async (name) => {
      const info = await stat(`${directory}/${name}`).catch(() => null)
      return info === null ? [] : [[String(info.ino), `${directory}/${name}`]]
    }),
  )
  return found.flat()
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
