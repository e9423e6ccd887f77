import type { Technique, TechniqueId } from '../technique.js'
import { chaosAndFaultInjection } from './chaos-and-fault-injection.js'
import { crashRecoveryAndUpgrade } from './crash-recovery-and-upgrade.js'
import { deterministicSimulation } from './deterministic-simulation.js'
import { formalMethods } from './formal-methods.js'
import { fuzzing } from './fuzzing.js'
import { jepsenAndElle } from './jepsen-and-elle.js'
import { performanceAndBenchmarking } from './performance-and-benchmarking.js'
import { propertyAndMetamorphic } from './property-and-metamorphic.js'

/** Every technique by its id. */
export const techniques: Readonly<Record<TechniqueId, Technique>> = {
  'jepsen-and-elle': jepsenAndElle,
  'deterministic-simulation': deterministicSimulation,
  'chaos-and-fault-injection': chaosAndFaultInjection,
  fuzzing,
  'formal-methods': formalMethods,
  'property-and-metamorphic': propertyAndMetamorphic,
  'performance-and-benchmarking': performanceAndBenchmarking,
  'crash-recovery-and-upgrade': crashRecoveryAndUpgrade,
}
