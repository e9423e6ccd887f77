import { ddmin, type Reduced } from '../../findings/reduction/ddmin.js'

/**
 * Leaves out fault events for as long as the violation is shown without them: first all of a category, to see which
 * categories matter, of each of which at least one is then kept; then by delta debugging. `shows` answers null when there
 * is no more trying.
 */
export async function fewestEvents<Event extends { readonly category: string }>(
  all: readonly Event[],
  shows: (part: readonly Event[]) => Promise<boolean | null>,
): Promise<Reduced<Event>> {
  let events = all
  const needed: string[] = []
  for (const category of new Set(all.map((event) => event.category))) {
    const others = events.filter((event) => event.category !== category)
    const shown = await shows(others)
    if (shown === null) return { kept: events, minimal: false }
    if (shown) events = others
    else needed.push(category)
  }
  return ddmin(events, async (part) =>
    needed.every((category) => part.some((event) => event.category === category)) ? shows(part) : false,
  )
}
