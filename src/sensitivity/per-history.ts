import type { CleanHistory } from './mutation.js'

/** A view that is made once of every history, however many mutations look at it. */
export function perHistory<View>(make: (history: CleanHistory) => View): (history: CleanHistory) => View {
  const made = new WeakMap<CleanHistory, View>()
  return (history) => {
    const known = made.get(history)
    if (known !== undefined) return known
    const view = make(history)
    made.set(history, view)
    return view
  }
}
