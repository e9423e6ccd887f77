import { CommandFailed, type NamespaceExec } from '../exec.js'
import { ingressDevice, rootHandle } from './shape-script.js'

/** What `tc -s -j qdisc` says of one discipline. */
export interface Discipline {
  readonly kind: string
  readonly dev: string
  readonly handle: string
  readonly packets: number
  readonly drops: number
  /** How often something had to wait. */
  readonly overlimits: number
}

/** The queueing disciplines in a namespace. Throws CommandFailed where there is no `tc`. */
export async function disciplinesIn(entry: NamespaceExec, id: string): Promise<readonly Discipline[]> {
  return JSON.parse(await entry.run(id, ['tc', '-s', '-j', 'qdisc', 'show'])) as Discipline[]
}

/** Takes our shaping of what leaves the device away, if there is any. */
export async function removeEgress(entry: NamespaceExec, id: string, device: string): Promise<void> {
  const there = await disciplinesIn(entry, id)
  if (!there.some(({ dev, handle }) => dev === device && handle === rootHandle)) return
  await entry.run(id, ['tc', 'qdisc', 'del', 'dev', device, 'root', 'handle', rootHandle])
}

/** Takes our shaping of what arrives on the device away, if there is any. */
export async function removeIngress(entry: NamespaceExec, id: string, device: string): Promise<void> {
  // The redirection first: with its target gone it would be a full drop.
  const there = await disciplinesIn(entry, id)
  if (there.some(({ dev, kind }) => dev === device && kind === 'ingress')) {
    const filters = await entry.run(id, ['tc', 'filter', 'show', 'dev', device, 'parent', 'ffff:'])
    // Without a filter it is what was left by a redirection that could not be put there.
    if (filters.trim() === '' || filters.includes(ingressDevice(device)))
      await entry.run(id, ['tc', 'qdisc', 'del', 'dev', device, 'ingress'])
  }
  try {
    await entry.run(id, ['ip', 'link', 'del', ingressDevice(device)])
  } catch (error) {
    if (!(error instanceof CommandFailed && /Cannot find device/.test(error.stderr))) throw error
  }
}
