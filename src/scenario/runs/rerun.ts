import type { Scheduled } from '../../nemesis/schedule/record.js'
import type { RunRecord } from '../../session/record.js'
import type { PassRequest, Passes } from './passes.js'

/**
 * The same pass again after a violation. Its notes say where its faults were not those of the first run: fewer, because
 * it ended sooner, or a role that another node had.
 */
export async function rerun(passes: Passes, original: RunRecord, request: PassRequest): Promise<RunRecord> {
  const again = await passes.run({ ...request, purpose: 'rerun' })
  again.notes.push(...faultDifferences(original, again))
  return again
}

/**
 * How the faults of a re-run differ from those of the run that it repeats, in words. Kinds, times, lengths and drawn
 * targets come from the seed; roles such as `leader` mean who has them now, and an event comes when it comes.
 */
export function faultDifferences(original: RunRecord, again: RunRecord): string[] {
  const [before, now] = [sequencesOf(original), sequencesOf(again)]
  for (const [part, faults] of before.entries()) {
    const repeated = now[part] ?? []
    const other = faults.findIndex((fault, index) => index < repeated.length && repeated[index] !== fault)
    if (other < 0) continue
    return [`its faults are not those of ${original.name}: ${repeated[other]} instead of ${faults[other]}`]
  }
  return [
    ...lengthDifferences(original, again),
    ...targetDifferences(original, again),
    ...landingDifferences(original, again),
  ]
}

/** For each declared fault or random schedule, and for what a body injects itself, the faults as declared and drawn. */
function sequencesOf({ schedule, faults }: RunRecord): string[][] {
  const ids = new Set(schedule.flatMap((part) => part.faults.map(({ id }) => id)))
  const byHand = faults.filter(({ id }) => !ids.has(id)).map(({ fault }) => fault)
  return [...schedule.map((part) => part.faults.map(inWords)), byHand]
}

function inWords({ fault, drawn, skipped }: Scheduled['faults'][number]): string {
  const targets = drawn.map(({ target, nodes }) => `${[target].flat().join('+')} = ${nodes.join(', ')}`)
  const words = targets.length === 0 ? fault : `${fault} (${targets.join('; ')})`
  return skipped === null ? words : `${words}, left out`
}

function lengthDifferences(original: RunRecord, again: RunRecord): string[] {
  const [before, now] = [original.faults.length, again.faults.length]
  if (before !== now) return [`${faults(now)} went in before it ended, ${before} in ${original.name}`]
  return original.schedule.flatMap(({ declared, faults: fired }, part) => {
    const repeated = again.schedule[part]?.faults ?? []
    if (repeated.length === fired.length) return []
    return [`${declared}: ${faults(repeated.length)} instead of ${fired.length} in ${original.name}`]
  })
}

function faults(number: number): string {
  return `${number} ${number === 1 ? 'fault' : 'faults'}`
}

function targetDifferences(original: RunRecord, again: RunRecord): string[] {
  return again.faults.flatMap((window, index) => {
    const before = original.faults[index]
    if (before === undefined || before.fault !== window.fault || before.target === window.target) return []
    return [`${window.id} ${window.fault}: ${window.target} here, ${before.target} in ${original.name}`]
  })
}

/** A fault that goes in and meets nothing is not the same again. */
function landingDifferences(original: RunRecord, again: RunRecord): string[] {
  return again.faults.flatMap(({ id, fault, landed, cause }, index) => {
    const before = original.faults[index]
    if (before === undefined || before.fault !== fault || before.landed === landed) return []
    if (landed) return [`${id} ${fault} landed here, it did not in ${original.name}`]
    return [
      `${id} ${fault} did not land here, it did in ${original.name}${cause === null ? '' : `: ${cause}`}`,
    ]
  })
}
