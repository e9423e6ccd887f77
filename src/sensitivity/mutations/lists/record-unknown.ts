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
    return drawFrom(listHistories(history), random, (list) =>
      drawFrom(list.reads, random, (read) => {
        const example = read.list.at(-1) ?? [...list.appends.values()][0]?.value ?? null
        const value = unwrittenLike(example, list.known)
        if (value === undefined) return null
        const what = `${named(read)} sees ${shown(value)}, which nobody appended`
        return changed(history, {
          what,
          replace: new Map([[read.operation, read.seeing([...read.list, value])]]),
        })
      }),
    )
  },
}
