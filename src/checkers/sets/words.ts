import type { Json } from '../../json.js'
import type { Operation } from '../../history/operation.js'
import { shown } from '../words.js'

/** What may be the matter with an element that is missing or not expected: histories are often recorded wrongly. */
export function doubtAbout(
  element: Json,
  { failed, isThere }: { failed: Operation | null; isThere: (element: Json) => boolean },
): string {
  if (failed !== null) {
    return `; operation ${JSON.stringify(failed.op_id)}, which added it, is recorded as failed (was that a timeout?)`
  }
  if (!Array.isArray(element) || element.length !== 2) return ''
  const [, bare = null] = element
  return isThere(bare)
    ? `; it holds ${shown(bare)} (are adds recorded together with a key that reads leave out?)`
    : ''
}

/** ` of key "k"`, or nothing where the history has one set without a key. */
export function ofKey(key: string | number | null): string {
  return key === null ? '' : ` of key ${JSON.stringify(key)}`
}
