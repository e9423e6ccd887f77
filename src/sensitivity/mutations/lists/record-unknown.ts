import { shown } from '../../../checkers/words.js'
import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { unwrittenLike } from '../../unwritten.js'
import { listHistories, named } from './lists.js'

/** A read of the whole list sees a record that nobody appended. */
export const recordUnknown: Mutation = {
  name: 'record-unknown',
  about: 'a record is corrupted, or comes from elsewhere',
  draw(history, random) {
    return drawFrom(listHistories(history), random, (list) => {
      const [example] = list.appends.values()
      const value = unwrittenLike(example?.value ?? null, list.known)
      if (value === undefined) return null
      const inEntry = drawFrom(list.entryReads, random, (read) => {
        const place = random.int(0, read.offsets.length - 1)
        const mutated = read.seeing(place, value)
        if (mutated === null) return null
        const what = `${named(read)} sees ${shown(value)} at offset ${read.offsets[place]}, which nobody appended`
        return changed(history, { what, replace: new Map([[read.operation, mutated]]) })
      })
      if (inEntry !== null) return inEntry
      return drawFrom(list.reads, random, (read) => {
        const what = `${named(read)} sees ${shown(value)}, which nobody appended`
        return changed(history, {
          what,
          replace: new Map([[read.operation, read.seeing([...read.list, value])]]),
        })
      })
    })
  },
}
