import { DeclarationError, HarnessError } from '../errors.js'
import { detailsOf, tellDetails } from './details.js'
import type { Property } from './property.js'
import { currentScope } from './scope.js'

/**
 * Asserts that the condition holds each time this place is reached in a run; once false, the run is a violation.
 *
 * For use inside operations, clients, bodies and invariants. It does not throw there, so that the run goes on and all
 * evaluations are counted; it returns the condition. `details` are told of the first time that it was false. Outside of
 * a run nobody counts: there a false condition throws HarnessError.
 */
export function always(name: string, condition: boolean, details?: unknown): boolean {
  return evaluate('always', name, { condition, details })
}

/**
 * Says that the condition should hold at least once in a run: that the rare thing which the scenario is about did come
 * up. One that never does makes the oracle weak, and the scenario is not hardened. Returns the condition.
 */
export function sometimes(name: string, condition: boolean): boolean {
  return evaluate('sometimes', name, { condition })
}

/** Says that this place must never be reached in a run; when it is, the run is a violation. See `always`. */
export function unreachable(name: string, details?: unknown): void {
  evaluate('unreachable', name, { condition: false, details })
}

function evaluate(
  kind: Property['kind'],
  name: string,
  { condition, details }: { condition: boolean; details?: unknown },
): boolean {
  const scope = currentScope()
  const misuse = misuseOf(kind, name, condition)
  if (misuse !== null) {
    if (scope === null) throw new DeclarationError('property', misuse)
    // An error thrown inside an operation would be taken for one of the system.
    scope.registry.misused(misuse)
    return false
  }
  if (scope === null) {
    if (condition || kind === 'sometimes') return condition
    throw new HarnessError(
      'property',
      `${kind} ${JSON.stringify(name)} is broken${tellDetails(detailsOf(details))}`,
      {
        hint: 'no run is open that would count it: call it inside an operation, client, body or invariant of a scenario',
      },
    )
  }
  scope.registry.count(kind, name, {
    held: condition,
    operation: scope.operation,
    details: detailsOf(details),
  })
  return condition
}

function misuseOf(kind: Property['kind'], name: unknown, condition: unknown): string | null {
  const example = `${kind}('the queue is bounded'${kind === 'unreachable' ? '' : ', depth < 100'})`
  if (typeof name !== 'string' || name === '') return `${kind}() takes a name first, as in ${example}`
  if (typeof condition === 'boolean') return null
  return `${kind}(${JSON.stringify(name)}) takes true or false, not ${typeof condition}, as in ${example}`
}
