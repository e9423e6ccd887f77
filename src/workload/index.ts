import { validateWorkload } from './validate.js'
import type { Workload, WorkloadSpec } from './workload.js'

/**
 * Declares what clients do to the system.
 *
 * Throws DeclarationError, naming the path (`workload.operations.write.run is missing; expected a function`), when the
 * declaration is wrong.
 */
export function workload<Client>(spec: WorkloadSpec<Client>): Workload<Client> {
  validateWorkload(spec)
  return { spec }
}

export type { OperationContext, OperationSpec, Workload, WorkloadSpec } from './workload.js'
