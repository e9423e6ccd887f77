import { shown } from '../../../checkers/words.js'
import { changed } from '../../change.js'
import { drawFrom } from '../../draw.js'
import type { Mutation } from '../../mutation.js'
import { containerHistories, named, takenBy } from './elements.js'

/** An acknowledged element is never given out, though the container was emptied. */
export const deliveryLost: Mutation = {
  name: 'delivery-lost',
  about: 'an acknowledged element is lost, such as with the node that had accepted it',
  draw(history, random) {
    return drawFrom(containerHistories(history), random, (container) =>
      drawFrom(container.isDrained && !container.hasBlindTakes ? container.takes : [], random, (dropped) => {
        const lost = takenBy(container, dropped)
        if (lost === null) return null
        const what = `${shown(lost.value)} was acknowledged and is never given out (${named(dropped)} is left out)`
        return changed(history, { what, replace: new Map([[dropped, null]]) })
      }),
    )
  },
}
