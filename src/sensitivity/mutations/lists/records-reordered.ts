import { shown } from '../../../checkers/words.js'
import { canonical } from '../../../models/canonical.js'
import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { listHistories, named } from './lists.js'

/** A read of the whole list sees two records the other way round than they were appended, one after the other. */
export const recordsReordered: Mutation = {
  name: 'records-reordered',
  about: 'records are stored in the order of their arrival at some replica',
  draw(history, random) {
    return drawFrom(listHistories(history), random, (list) =>
      drawFrom(list.reads, random, (read) =>
        drawFrom([...read.list.keys()], random, (place) => {
          const [first = null, second = null] = [read.list[place], read.list[place + 1]]
          const [earlier, later] = [first, second].map((value) => list.appends.get(canonical(value)))
          if (earlier === undefined || later === undefined) return null
          const end = earlier.operation.complete_ts ?? Infinity
          if (end >= later.operation.invoke_ts) return null
          const what = `${named(read)} sees ${shown(second)} before ${shown(first)}, which was appended before it`
          const swapped = [...read.list.slice(0, place), second, first, ...read.list.slice(place + 2)]
          return changed(history, { what, replace: new Map([[read.operation, read.seeing(swapped)]]) })
        }),
      ),
    )
  },
}
