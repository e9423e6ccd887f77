import { z } from 'zod'
import type { Json } from '../../json.js'
import { valueKey, type ValueKey } from '../queues/value-key.js'

const readSchema = z.array(z.union([z.string(), z.number()]))

/** How many effects of each business key the system shows; null when what was read is no list of keys. */
export function countsOf(read: Json): ReadonlyMap<ValueKey, number> | null {
  const parsed = readSchema.safeParse(read)
  if (!parsed.success) return null
  const counts = new Map<ValueKey, number>()
  for (const id of parsed.data) counts.set(valueKey(id), (counts.get(valueKey(id)) ?? 0) + 1)
  return counts
}
