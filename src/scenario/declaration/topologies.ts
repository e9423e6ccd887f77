import { safeName } from '../../session/names.js'
import type { ScenarioSpec, System } from '../spec.js'

/** Every system that a scenario runs on: its own first, then the other sizes. */
export function systemsOf({
  system,
  topologies = [],
}: Pick<ScenarioSpec, 'system' | 'topologies'>): System[] {
  return [system, ...topologies]
}

/** The name of the pass with a seed on one of the systems: `seed-42`, and `seed-42-five-nodes` on another topology. */
export function passName({ system }: Pick<ScenarioSpec, 'system'>, on: System, seed: number): string {
  return on === system ? `seed-${seed}` : `seed-${seed}-${safeName(on.name)}`
}
