import type { NodeState } from '../../systems/capabilities.js'
import type { Evidence } from '../evidence.js'
import { changed } from '../fault.js'
import type { ProcessTarget } from './process-target.js'

/** `running`, `paused`, `exited by SIGKILL`, `exited with code 137` */
export function describeState(state: NodeState): string {
  if (state.status !== 'exited') return state.status
  return state.exitSignal === null ? `exited with code ${state.exitCode}` : `exited by ${state.exitSignal}`
}

/** True for an end that nothing can delay or catch: signal 9, or the exit code that shells and engines give it. */
export function endedByKill({ exitSignal, exitCode }: NodeState): boolean {
  return exitSignal === 'SIGKILL' || (exitSignal === null && exitCode === 137)
}

/** A probe after the fault as a victim's reading. A node that did not answer before proves nothing by not answering now. */
export function probeEvidence(
  target: ProcessTarget,
  answer: string | null,
  { signal, at }: { signal: string; at: number },
): readonly Evidence[] {
  if (target.probe !== 'answers') return []
  return [{ side: 'victim', subject: target.node, signal, before: target.probe, after: answer, at }]
}

/** The first node for which a side is missing, in words; null when each shows the fault on both sides. */
export function lackingSide(evidence: readonly Evidence[], targets: readonly ProcessTarget[]): string | null {
  for (const { node } of targets) {
    const shown = evidence.filter((item) => item.subject === node && changed(item)).map((item) => item.side)
    if (!shown.includes('injector')) return `the engine or kernel does not show it on ${node}`
    if (!shown.includes('victim')) return `nothing that ${node} serves was seen to suffer from it`
  }
  return null
}
