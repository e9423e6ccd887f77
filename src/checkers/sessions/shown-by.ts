import type { Operation } from '../../history/operation.js'
import type { Access } from './accesses.js'
import type { Places } from './places.js'

/**
 * The ids of the operations that show by themselves what the accesses are evidence of, in order of invocation: the
 * accesses, the writes that they read, and those that tell the version where they do not show it.
 */
export function operationsThatShow(
  indices: readonly number[],
  accesses: readonly Access[],
  { into, shownBy, versionFrom }: Pick<Places, 'into' | 'shownBy' | 'versionFrom'>,
): Operation['op_id'][] {
  const writes = indices.map((index) => shownBy.get(into[index]!) ?? index)
  const shown = [...indices, ...writes]
  const all = new Set([...shown, ...shown.map((index) => versionFrom.get(index) ?? index)])
  return [...all].sort((a, b) => a - b).map((index) => accesses[index]!.operation.op_id)
}
