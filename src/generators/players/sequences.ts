import type { Json } from '../../json.js'
import { perKey, type Player, type Setting } from '../player.js'
import { Items } from './items.js'

/** A queue or stack that is filled and emptied. */
export function sequences(
  setting: Setting,
  { put, take, takes }: { readonly put: string; readonly take: string; readonly takes: 'oldest' | 'newest' },
): Player {
  return perKey(setting, (key) => {
    const items = new Items((setting.semantics.init ?? []) as readonly Json[])
    return {
      draw: ({ random, fresh }) =>
        random.int(0, 1) === 0 ? { type: put, key, input: fresh() } : { type: take, key, input: null },
      answer({ type, input }) {
        if (type === take) return takes === 'oldest' ? items.takeOldest() : items.takeNewest()
        items.put(input)
        return null
      },
    }
  })
}
