import { nemesisOf } from '../../findings/reduction/events.js'
import type { Reproducer } from '../../findings/reduction/reproducer.js'
import type { Nemesis } from '../../nemesis/fault.js'
import { DeclarationError } from '../../errors.js'
import type { PassRequest } from '../runs/passes.js'
import type { ScenarioSpec } from '../spec.js'
import { systemsOf } from '../declaration/topologies.js'

/** What makes a pass of a scenario one of a reproducer. Throws DeclarationError when the scenario has changed since. */
export function passOf(
  spec: ScenarioSpec,
  { faults, load, system: name }: Pick<Reproducer, 'faults' | 'load' | 'system'>,
): Pick<PassRequest, 'change' | 'durationMs' | 'script' | 'leftOut'> {
  const system = systemsOf(spec).find((one) => one.name === name)
  if (system === undefined) {
    throw new DeclarationError('changed', `the scenario does not run on a system '${name}' any more`, {
      hint: 'run the scenario again and reduce that session',
    })
  }
  if (load.kind === 'body') return { change: { system }, leftOut: load.leftOut }
  const injected = faults.map((fault) => ({ ...fault, nemesis: nemesisOf(spec.nemesis ?? [], fault) }))
  if (load.kind === 'operations') {
    const script = {
      operations: load.operations,
      faults: injected.map(({ id, nemesis, turn, heal }) => ({
        ...{ id, nemesis, heal },
        turn: turn ?? { after: [], waitMs: 0 },
      })),
    }
    return { change: { system, nemesis: injected.map(({ nemesis }) => nemesis) }, script }
  }
  const { workload } = spec
  const fewer =
    workload === undefined ? {} : { workload: { spec: { ...workload.spec, clients: load.clients } } }
  const nemesis = injected.map((fault) => scheduled(fault.nemesis, fault))
  return { change: { system, nemesis, ...fewer }, durationMs: load.durationMs }
}

function scheduled(
  nemesis: Nemesis,
  { atMs, forMs }: { readonly atMs: number; readonly forMs: number | null },
): Nemesis {
  return { ...nemesis, schedule: { at: atMs, ...(forMs === null ? {} : { for: forMs }) } }
}
