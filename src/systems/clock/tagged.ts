import { EnvironmentError } from '../../errors.js'
import { withMemory } from './memory.js'
import { allProcesses } from './process-tree.js'
import type { Span } from './replacement.js'
import { isGone, vdsoAddress } from './vdso.js'

/** True when the process carries the tag; null when it has ended or has no vDSO. Throws EnvironmentError when it may not be read. */
export function carriesTag(pid: number, tag: Span): boolean | null {
  try {
    const address = vdsoAddress(pid)
    if (address === null) return null
    return withMemory(pid, 'r', (memory) =>
      memory.read(address + tag.offset, tag.bytes.length).equals(tag.bytes),
    )
  } catch (error) {
    if (isGone(error)) return null
    throw error
  }
}

/** Every process of the machine that carries the tag, as those do that were forked from one that was given it. */
export function taggedProcesses(tag: Span): readonly number[] {
  return allProcesses().filter((pid) => {
    try {
      return carriesTag(pid, tag) === true
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      // Another user's process, which this run could not have changed either.
      if (error instanceof EnvironmentError || code === 'EACCES' || code === 'EPERM') return false
      throw error
    }
  })
}
