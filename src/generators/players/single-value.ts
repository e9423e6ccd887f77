import type { Json } from '../../json.js'
import { canonical } from '../../models/canonical.js'
import { perKey, type Player, type Setting } from '../player.js'

/** The share of each type of operation, in percent. */
export interface Shares {
  readonly read: readonly [type: string, percent: number]
  readonly write: readonly [type: string, percent: number]
  readonly delete?: readonly [type: string, percent: number]
}

/** A value that is read and written, and now and then deleted; the rest are compare-and-sets. */
export function singleValues(setting: Setting, { read, write, delete: remove }: Shares): Player {
  const { init, failed } = setting.semantics
  return perKey(setting, (key) => {
    let value = init
    let earlier = init
    return {
      draw({ random, fresh }) {
        const percent = random.int(0, 99)
        if (percent < read[1]) return { type: read[0], key, input: null }
        if (percent < read[1] + write[1]) return { type: write[0], key, input: fresh() }
        if (remove !== undefined) return { type: remove[0], key, input: null }
        const expected = random.int(0, 3) === 0 ? earlier : value
        const request = { type: 'cas', key, input: [expected, fresh()] }
        return failed === 'observed' ? { ...request, mayFail: false } : request
      },
      answer({ type, input }) {
        if (type === read[0]) return value
        let next: Json = type === write[0] ? input : null
        if (type === 'cas') {
          const [expected, wanted] = input as [Json, Json]
          if (canonical(expected) !== canonical(value)) return false
          next = wanted
        }
        earlier = value
        value = next
        return type === 'cas' ? true : null
      },
    }
  })
}
