import type { Reduction } from '../../session/reduction-record.js'
import {
  code,
  fileLink,
  joined,
  labelled,
  paragraph,
  type Block,
  type Content,
  type Inline,
} from './markdown.js'
import { count, reading, valueInWords } from './words.js'

/** What is left of a violation, and where the files that show it again are. */
export function reductionBlocks(reduction: Reduction | null): Block[] {
  if (reduction === null) return []
  const { history, rerun } = reduction
  return [
    ...(history === null ? [] : [paragraph(labelled('Smallest sub-history', offline(history)))]),
    ...(rerun === null ? [] : [paragraph(labelled('Reduced by re-runs', online(rerun)))]),
    ...files(reduction),
  ]
}

function offline(history: NonNullable<Reduction['history']>): Inline[] {
  const { operations, beginning, minimal, ms } = history
  const least = minimal ? 'none of which can be left out' : 'perhaps not the fewest: the time was over'
  const from: Inline[] = beginning
    ? [
        ', from the state after operation ',
        code(beginning.shownBy),
        ' on (',
        code(`init: ${valueInWords(beginning.init)}`),
        ')',
      ]
    : []
  const cost = `; ${Math.round(ms)} ms, nothing was run again.`
  return [shrunk(operations, 'operation'), ...from, `, ${least}${cost}`]
}

function online(rerun: NonNullable<Reduction['rerun']>): string {
  const { events, operations, clients, durationMs, reruns, confirmed, minimal } = rerun
  const length = `${(durationMs.from / 1_000).toFixed(1)} s -> ${(durationMs.to / 1_000).toFixed(1)} s`
  const least = minimal ? 'each remaining event is necessary' : 'the budget ended before each event was tried'
  return (
    `${shrunk(events, 'fault event')}, ${shrunk(operations, 'operation')}, ${shrunk(clients, 'client')}, ${length} ` +
    `over ${count(reruns, 're-run')}; ${least}; what is left showed the violation in ` +
    `${confirmed.reproduced} of ${count(confirmed.reruns, 're-run')}.`
  )
}

function shrunk({ from, to }: { readonly from: number; readonly to: number }, noun: string): string {
  return `${reading(from)} -> ${count(to, noun)}`
}

function files({ reproducer, snippet }: Reduction): Block[] {
  const links: Content[] = []
  if (reproducer !== null) links.push(fileLink(`../${reproducer}`, 'reproducer for nemesis replay'))
  if (snippet !== null) links.push(fileLink(`../${snippet}`, 'scenario to paste'))
  return links.length === 0 ? [] : [paragraph(labelled('Reduced reproducer', joined(links, ', ')))]
}
