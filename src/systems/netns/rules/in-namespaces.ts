import { linkName, type Link, type LinkCounter, type NetworkRule } from '../../capabilities.js'
import { allOf } from '../../../time/all-of.js'
import { becomes } from '../../../time/wait.js'
import type { Leftover, NamespaceNode } from '../namespaces.js'
import { oneAtATime, whileRunning, type NamespaceRule, type RuleContext } from './context.js'

/** What a rule has counted on one link. */
export interface Count {
  /** What the rule did something to. */
  readonly met: number
  /** What it let through. */
  readonly passed: number
  /** What came through although the rule lets nothing of its kind through. */
  readonly missed: number
  /** Milliseconds for which things were held, added up; 0 where that is not measured. */
  readonly heldMs: number
}

/** Counts that were read so short a time ago need not be read again to look for what was missed. */
const freshMs = 100
/** A node that has been started anew has the rule again after so long. */
const putAgainWithinMs = 3_000

/** Nothing has been counted. */
export const noCount: Count = { met: 0, passed: 0, missed: 0, heldMs: 0 }

/** What is put into the network namespace of one node. Called only while there is that namespace. */
export interface Installed {
  /** Puts it into the present namespace. */
  put(): Promise<void>
  present(): Promise<boolean>
  /** What it has counted in the present namespace, one a link; null when it is not in there. */
  read(): Promise<readonly Count[] | null>
  takeOut(): Promise<void>
  /** Ends what serves it from outside. Also called when the namespace is gone. Safe to call twice. */
  end?(): Promise<void>
  /** Why it does nothing any more although it is there; null while it works. */
  broken?(): string | null
}

/** A part of a rule: what it is at one node. */
export interface Place {
  readonly node: NamespaceNode
  readonly links: readonly Link[]
  /** What another process has to take back when this one dies. */
  readonly leaves: Leftover
  readonly installed: Installed
}

interface JournalledPlace extends Place {
  readonly journalId: string
  /** Counts of namespaces that are gone, one a link. */
  before: readonly Count[]
  /** Counts of the present namespace when they were last read. */
  last: readonly Count[]
}

/**
 * A rule on links, in the network namespaces of the nodes at which it acts. Each part is journalled before it is put
 * there, is put in again when its node has been started anew, and keeps its count over that.
 *
 * `bypasses` finds traffic that no part of the rule covers.
 */
export async function ruleInNamespaces(
  { namespaces, journal }: RuleContext,
  rule: {
    readonly mechanism: string
    readonly places: readonly Place[]
    readonly victims: NetworkRule['victims']
    readonly bypasses?: NetworkRule['bypasses']
  },
): Promise<NamespaceRule> {
  const serially = oneAtATime()
  const places: JournalledPlace[] = []
  let removed = false
  let readAt = -Infinity

  const inside = <T>({ node }: Place, otherwise: T, act: () => Promise<T>): Promise<T> =>
    whileRunning({ namespaces, id: node.id, otherwise }, act)
  const put = (place: Place) => inside(place, undefined, () => place.installed.put())
  const isThere = (place: Place, down: boolean) => inside(place, down, () => place.installed.present())

  const readPlace = async (place: JournalledPlace): Promise<void> => {
    // A node that was started a moment ago has nothing in it yet; its old counts are all there is.
    place.last = (await inside(place, null, () => place.installed.read())) ?? place.last
  }

  const counts = async ({
    notOlderMs,
  }: {
    notOlderMs: number
  }): Promise<(Count & { readonly link: Link })[]> => {
    if (!removed && performance.now() - readAt > notOlderMs) {
      await Promise.all(places.map(readPlace))
      readAt = performance.now()
    }
    return places.flatMap(({ links, before, last }) =>
      links.map((link, i) => ({ link, ...sum(before[i] ?? noCount, last[i] ?? noCount) })),
    )
  }

  /** Nodes that have a namespace without the rule. */
  const missingFrom = (): Promise<readonly string[]> =>
    serially(async () => {
      if (removed) return []
      const there = await Promise.all(places.map((place) => isThere(place, true)))
      return places.filter((_, i) => there[i] === false).map(({ node }) => node.name)
    })

  const made: NamespaceRule = {
    mechanism: rule.mechanism,
    async counters() {
      const read = await serially(() => counts({ notOlderMs: 0 }))
      return read.map(({ link, met, passed, heldMs }): LinkCounter => ({
        link,
        met,
        passed,
        ...(heldMs === 0 ? {} : { meanHeldMs: heldMs / met }),
      }))
    },
    victims: rule.victims,
    async bypasses() {
      // Whoever asks for both asks for the counters first.
      const missed = (await serially(() => counts({ notOlderMs: freshMs })))
        .filter((count) => count.missed > 0)
        .map((count) => `${linkName(count.link)}: ${count.missed} packets came through the rule`)
      const broken = places.flatMap(({ node, installed }) => {
        const why = installed.broken?.() ?? null
        return why === null ? [] : [`${node.name}: ${why}`]
      })
      return [...missed, ...broken, ...((await rule.bypasses?.()) ?? [])]
    },
    async lost() {
      let gone: readonly string[] = []
      const nothingGone = async () => (gone = await missingFrom()).length === 0
      // A node that has just been started gets the rule as soon as that is known: see `restarted`.
      if (await becomes(nothingGone, { withinMs: putAgainWithinMs })) return null
      return `something else has taken the rule out of the network namespace of ${gone.join(', ')}`
    },
    remove: () =>
      serially(async () => {
        if (removed) return
        await Promise.all(places.map(readPlace))
        await allOf(
          places.map(async (place) => {
            await inside(place, undefined, () => place.installed.takeOut())
            await place.installed.end?.()
          }),
        )
        removed = true
        await Promise.all(places.map(({ journalId }) => journal.close(journalId)))
      }),
    async present() {
      return (await Promise.all(places.map((place) => isThere(place, false)))).includes(true)
    },
    restarted: (name) =>
      serially(async () => {
        if (removed) return
        for (const place of places.filter(({ node }) => node.name === name)) {
          if (await isThere(place, true)) continue
          await place.installed.end?.()
          place.before = place.before.map((count, i) => sum(count, place.last[i] ?? noCount))
          place.last = place.links.map(() => noCount)
          await put(place)
        }
      }),
  }

  try {
    for (const place of rule.places) {
      const zeros = place.links.map(() => noCount)
      const journalId = await journal.open(namespaces.undoOf(place.node.id, place.leaves))
      places.push({ ...place, journalId, before: zeros, last: zeros })
    }
    await allOf(places.map(put))
  } catch (error) {
    await made.remove()
    throw error
  }
  return made
}

function sum(a: Count, b: Count): Count {
  return {
    met: a.met + b.met,
    passed: a.passed + b.passed,
    missed: a.missed + b.missed,
    heldMs: a.heldMs + b.heldMs,
  }
}
