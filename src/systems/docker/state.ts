import { constants } from 'node:os'
import type Dockerode from 'dockerode'
import type { NodeState } from '../capabilities.js'

/** What the engine's answer to an inspection says of a node, without its CPU time. */
export function stateOf(state: Dockerode.ContainerInspectInfo['State']): Omit<NodeState, 'cpuMs'> {
  const status = state.Paused ? 'paused' : state.Running ? 'running' : 'exited'
  const ended = status === 'exited' && state.Status !== 'created'
  return {
    status,
    pid: state.Pid > 0 ? state.Pid : null,
    startedAt: state.Status === 'created' ? null : state.StartedAt,
    exitCode: ended ? state.ExitCode : null,
    exitSignal: ended ? signalOf(state.ExitCode) : null,
  }
}

/** Engines report an end by signal as 128 plus its number. */
function signalOf(exitCode: number): string | null {
  return Object.entries(constants.signals).find(([, number]) => number === exitCode - 128)?.[0] ?? null
}
