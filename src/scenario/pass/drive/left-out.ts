import type { FaultWindow } from '../../../nemesis/evidence.js'
import { optionsInWords } from '../../../nemesis/describe.js'
import type { Nemesis } from '../../../nemesis/fault.js'
import type { ActiveFault } from '../../../nemesis/inject.js'

/**
 * What a body gets for a fault that a reduction leaves out: it has not landed, affects nobody, and there is nothing to
 * heal. `at` is now, in nanoseconds of the run's clock.
 */
export function leftOut({ definition, options }: Nemesis, at: number): ActiveFault {
  const window: FaultWindow = {
    id: 'left out',
    fault: definition.name,
    target: optionsInWords(options),
    mechanism: null,
    injected_ts: at,
    landed_ts: null,
    healed_ts: at,
    landed: false,
    cause: 'it was left out, to see whether the violation comes without it',
    evidence: [],
    healed: [],
    exposure: null,
  }
  return { id: window.id, window, landed: false, affects: [], heal: () => Promise.resolve(window) }
}
