import type { Operation } from '../../history/operation.js'
import type { FaultEvent } from './events.js'
import type { Reproducer } from './reproducer.js'
import { scriptOf } from './script.js'

/** A recorded run that shows the violation, as far as scripts are made of it. */
export interface RecordedLoad {
  readonly operations: readonly Operation[]
  readonly nodes: readonly string[]
  /** Clients of its workload: client i is process i, i + clients, i + 2 * clients, … */
  readonly clients: number
}

/** What clients do in a candidate. */
export type CandidateLoad =
  | {
      readonly kind: 'operations'
      readonly recorded: RecordedLoad
      /** Those of them that are performed, in order of invocation. */
      readonly operations: readonly Operation[]
      /** With the time that passed between them; otherwise in their order only. */
      readonly gaps: boolean
    }
  | { readonly kind: 'workload'; readonly clients: number; readonly durationMs: number }
  /** The body, of whose `injected` faults some are left out, by the number of the call, from 0. */
  | { readonly kind: 'body'; readonly injected: number; readonly leftOut: readonly number[] }

/** Something smaller that may show the violation. */
export interface Candidate {
  /** With the windows of the run that the load was recorded in. */
  readonly events: readonly FaultEvent[]
  readonly load: CandidateLoad
}

/** What of a reproducer is the candidate's. */
export function partsOf({ events, load }: Candidate): Pick<Reproducer, 'faults' | 'load'> {
  if (load.kind === 'body') return { faults: [], load: { kind: 'body', leftOut: [...load.leftOut] } }
  if (load.kind === 'workload') {
    return {
      faults: events.map(({ id, fault, path, kind, drawn, atMs, forMs }) => ({
        ...{ id, fault, path, kind, drawn, atMs, forMs },
        turn: null,
        heal: null,
      })),
      load,
    }
  }
  const { recorded, operations, gaps } = load
  const script = scriptOf({ operations, events, gaps, nodeOf: (process) => nodeOf(process, recorded) })
  return { faults: [...script.faults], load: { kind: 'operations', operations: script.operations.map(copy) } }
}

/** The candidate in words: `1 fault, 3 operations by 2 clients`. */
export function candidateInWords({ events, load }: Candidate): string {
  if (load.kind === 'body') {
    return `the body with ${load.injected - load.leftOut.length} of its ${load.injected} faults`
  }
  const faults = `${events.length} ${events.length === 1 ? 'fault' : 'faults'}`
  if (load.kind === 'workload') {
    return `${faults}, the workload with ${load.clients} clients for ${(load.durationMs / 1000).toFixed(1)} s`
  }
  const operations = `${load.operations.length} ${load.operations.length === 1 ? 'operation' : 'operations'}`
  return `${faults}, ${operations}${load.gaps ? ' at their times' : ' in their order'}`
}

/** As `drive` connects clients. */
function nodeOf(process: Operation['process_id'], { nodes, clients }: RecordedLoad): string {
  return nodes[(Number(process) % clients) % nodes.length] ?? ''
}

function copy<Step extends { readonly after: readonly string[] }>(step: Step): Step & { after: string[] } {
  return { ...step, after: [...step.after] }
}
