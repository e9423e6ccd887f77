import type { Evidence } from './evidence.js'
import { changed } from './fault.js'

/** A link in the words of `linkName`. */
const link = /^(?<from>.+)->(?<to>.+)$/

/**
 * Why readings refute a fault although both sides have shown something; null when none does.
 *
 * It is about links of nodes to themselves only, so nobody was cut off from anybody. Or what had to stand still has
 * moved. Or what had changed went back before the end: the same thing read again, in order of time, lies nearer to its
 * value from before than to the one that it had come to.
 */
export function refutedBy(evidence: readonly Evidence[]): string | null {
  return toItself(evidence) ?? movedOn(evidence) ?? takenBack(evidence)
}

function toItself(evidence: readonly Evidence[]): string | null {
  const injected = evidence.filter(({ side }) => side === 'injector')
  const ends = injected.map(({ subject }) => link.exec(subject)?.groups)
  if (ends.length === 0 || ends.some((one) => one === undefined || one['from'] !== one['to'])) return null
  return `it is between ${[...new Set(ends.map((one) => one?.['from']))].join(', ')} and itself, so nothing was kept from anybody`
}

function movedOn(evidence: readonly Evidence[]): string | null {
  const moved = evidence.find((reading) => reading.expected === 'still' && changed(reading))
  return moved === undefined
    ? null
    : `${moved.signal} of ${moved.subject} had to stand still and went from ${moved.before} to ${moved.after}: something got through`
}

function takenBack(evidence: readonly Evidence[]): string | null {
  const series = new Map<string, Evidence[]>()
  for (const reading of evidence) {
    if (reading.expected === 'still' || reading.after === null) continue
    const name = [reading.side, reading.subject, reading.signal].join('\n')
    series.set(name, [...(series.get(name) ?? []), reading])
  }
  for (const readings of series.values()) {
    const inOrder = readings.toSorted((one, other) => one.at - other.at)
    const shown = inOrder.findIndex(changed)
    const back =
      shown < 0
        ? undefined
        : inOrder.slice(shown + 1).find((later) => isBack(inOrder[shown] as Evidence, later))
    if (back === undefined) continue
    return `somebody else took it back before its end: ${back.signal} of ${back.subject} was ${inOrder[shown]?.after}, then ${back.after} again (${back.before} before)`
  }
  return null
}

function isBack(shown: Evidence, later: Evidence): boolean {
  if (later.at === shown.at || later.before !== shown.before) return false
  const values = [shown.before, shown.after, later.after]
  if (!values.every((value) => typeof value === 'number')) return later.after === later.before
  const [before, reached, now] = values as [number, number, number]
  return Math.abs(now - before) < Math.abs(now - reached)
}
