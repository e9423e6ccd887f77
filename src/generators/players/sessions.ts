import { perKey, type Player, type Setting } from '../player.js'

/** A register that counts its versions. */
export function sessions(setting: Setting): Player {
  return perKey(setting, (key) => {
    let value = setting.semantics.init
    let version = 0
    return {
      draw: ({ random, fresh }) =>
        random.int(0, 1) === 0 ? { type: 'write', key, input: fresh() } : { type: 'read', key, input: null },
      answer({ type, input }) {
        if (type === 'write') {
          value = input
          version += 1
        }
        return { value, version }
      },
    }
  })
}
