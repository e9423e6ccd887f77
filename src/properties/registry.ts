import type { Anomaly, CheckResult } from '../checkers/checker.js'
import { tellDetails } from './details.js'
import type { Operation } from '../history/operation.js'
import type { Json } from '../json.js'
import type { Property } from './property.js'

type Kind = Property['kind']

/** Where and with what a property was broken for the first time. */
interface FirstBreak {
  readonly operation: Operation['op_id'] | null
  readonly details: Json
}

interface Counted {
  readonly kind: Kind
  readonly name: string
  held: number
  broken: number
  first: FirstBreak | null
}

/** The name of the result that properties give among those of the checkers. */
export const propertiesChecker = 'properties'

/** Counts the property assertions of one run. */
export class PropertyRegistry {
  readonly #counted = new Map<string, Counted>()
  #misuse: string | null = null

  /** Counts one evaluation. */
  count(
    kind: Kind,
    name: string,
    { held, operation, details }: { held: boolean; operation: Operation['op_id'] | null; details: Json },
  ): void {
    const id = `${kind} ${name}`
    const counted = this.#counted.get(id) ?? { kind, name, held: 0, broken: 0, first: null }
    this.#counted.set(id, counted)
    if (held) counted.held += 1
    else {
      counted.broken += 1
      counted.first ??= { operation, details }
    }
  }

  /** Notes a call with wrong arguments, which counts nothing: the result is then not valid. */
  misused(problem: string): void {
    this.#misuse ??= problem
  }

  /** What was counted so far, in order of first evaluation. */
  properties(): Property[] {
    return [...this.#counted.values()].map(({ kind, name, held, broken }) => ({ kind, name, held, broken }))
  }

  /** The properties as the result of a checker; null when none was evaluated. */
  result(): CheckResult | null {
    const all = [...this.#counted.values()]
    if (all.length === 0 && this.#misuse === null) return null
    const anomalies = all.filter(({ kind, broken }) => kind !== 'sometimes' && broken > 0).map(anomalyOf)
    const evaluations = all.reduce((sum, { held, broken }) => sum + held + broken, 0)
    return {
      checker: propertiesChecker,
      model: null,
      valid: anomalies.length > 0 ? false : this.#misuse === null || 'unknown',
      reason: anomalies.length > 0 ? null : this.#misuse,
      operations: evaluations,
      coverage: 'all',
      evidence: { properties: all.length, evaluations },
      anomalies,
      scope: ['anything that always() and unreachable() do not mention, and code that did not run'],
      ms: 0,
    }
  }
}

function anomalyOf({ kind, name, held, broken, first }: Counted): Anomaly {
  const { operation = null, details = null } = first ?? {}
  const where = operation === null ? '' : `, first in operation ${JSON.stringify(operation)}`
  const what =
    kind === 'always'
      ? `always ${JSON.stringify(name)} did not hold in ${broken} of ${held + broken} evaluations`
      : `unreachable ${JSON.stringify(name)} was reached ${broken} times`
  return {
    type: `${kind}-broken`,
    explanation: `${what}${where}${tellDetails(details)}`,
    operations: operation === null ? [] : [operation],
  }
}
