import { existsSync } from 'node:fs'
import { execa } from 'execa'
import { FaultError } from '../../errors.js'
import { toolWithinMs } from '../tool-limit.js'
import { isNamespaceName, namespaceFile } from './names.js'

/**
 * Removes network namespaces of a run with their links and all rules in them. Returns how many were there. Those that
 * are gone count as removed.
 *
 * Throws FaultError for one that stays, and for a name that is not ours: a damaged journal must not be able to name
 * anything else.
 */
export async function removeNamespaces(names: readonly string[]): Promise<number> {
  let removed = 0
  for (const name of names) {
    if (!mine(name)) continue
    removed += 1
    // A namespace lives on with whatever runs in it; without its link it is at least cut off, and the name is free.
    for (const device of ['eth0', 'uplink']) await attempt('ip', ['-n', name, 'link', 'delete', device])
    const said = await attempt('ip', ['netns', 'delete', name])
    if (existsSync(namespaceFile(name)))
      throw new FaultError('undo', `network namespace ${name} stays: ${said}`)
  }
  return removed
}

/** True when it is there. */
function mine(name: string): boolean {
  if (!isNamespaceName(name)) throw new FaultError('undo', `${name} is no network namespace of a run`)
  return existsSync(namespaceFile(name))
}

async function attempt(file: string, args: readonly string[]): Promise<string> {
  const { all } = await execa(file, args, { reject: false, all: true, timeout: toolWithinMs })
  return all?.trim() ?? ''
}
