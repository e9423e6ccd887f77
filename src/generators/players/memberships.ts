import type { Json } from '../../json.js'
import { perKey, type Player, type Setting } from '../player.js'

/** Members at most. */
const most = 8

/** A group that members join, leave and look at; who leaves does not come back. */
export function memberships(setting: Setting): Player {
  return perKey(setting, (key) => {
    let members = [...((setting.semantics.init ?? []) as readonly Json[])]
    return {
      draw({ random, fresh }) {
        const percent = random.int(0, 99)
        if (percent < 40) return { type: 'view', key, input: null }
        if (members.length === 0 || (percent < 70 && members.length < most)) {
          return { type: 'join', key, input: `m${fresh()}` }
        }
        return { type: 'leave', key, input: random.pick(members) }
      },
      answer({ type, input }) {
        if (type === 'view') return members
        const isMember = members.includes(input)
        if (isMember === (type === 'join')) return false
        // Answers hold the lists from before.
        members = type === 'join' ? [...members, input] : members.filter((member) => member !== input)
        return true
      },
    }
  })
}
