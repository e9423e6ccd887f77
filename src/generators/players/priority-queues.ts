import type { Json } from '../../json.js'
import { perKey, type Player, type Setting } from '../player.js'
import { Items } from './items.js'

const highest = 9

/** A priority queue that is filled and emptied; of equal priorities the oldest leaves first. */
export function priorityQueues(setting: Setting): Player {
  return perKey(setting, (key) => {
    /** By priority, the highest first. */
    const levels: { readonly priority: number; readonly items: Items }[] = []
    const put = (element: Json) => {
      const priority = priorityOf(element)
      const place = levels.findIndex((level) => level.priority <= priority)
      if (levels[place]?.priority === priority) levels[place].items.put(element)
      else levels.splice(place === -1 ? levels.length : place, 0, { priority, items: new Items([element]) })
    }
    for (const element of (setting.semantics.init ?? []) as readonly Json[]) put(element)

    return {
      draw({ random, fresh }) {
        if (random.int(0, 1) === 0) return { type: 'poll', key, input: null }
        return { type: 'insert', key, input: { priority: random.int(0, highest), value: fresh() } }
      },
      answer({ type, input }) {
        if (type === 'poll') return levels.find(({ items }) => items.size > 0)?.items.takeOldest() ?? null
        put(input)
        return null
      },
    }
  })
}

function priorityOf(element: Json): number {
  return Number(typeof element === 'object' ? (element as { priority: Json }).priority : element)
}
