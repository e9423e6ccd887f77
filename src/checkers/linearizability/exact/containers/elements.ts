import { containerKind, never, none, type Decision, type Part } from '../../part.js'
import { violationOf } from './violation-of.js'

/** The life of every element of a container, by value id: at most one put and at most one take. */
export interface Elements {
  /** Number of value ids. */
  readonly count: number
  /** Indexes of operations; `none` where there is none. */
  readonly put: Int32Array
  readonly take: Int32Array
  /** Ranks; `never` where there is none, and for returns of puts of unknown outcome. */
  readonly putInvoke: Int32Array
  readonly putComplete: Int32Array
  readonly takeInvoke: Int32Array
  readonly takeComplete: Int32Array
  /** Takes that found the container empty. */
  readonly emptyTakes: readonly number[]
  /** Takes of unknown outcome: each may have removed an element, whichever was next. */
  readonly unknownTakes: readonly number[]
}

/** What `elementsOf` and the checkers that start from it need. */
export const distinctElements = 'no element is put twice'

/**
 * Gathers what happened to each element.
 *
 * A Decision instead when an element was put twice (`unknown`: the precondition does not hold), or when one was taken
 * that was never put, taken twice, or taken before its put began (no order of the operations allows that).
 */
export function elementsOf(part: Part): Elements | Decision {
  const { kind, a, invoke, complete, values } = part
  const put = new Int32Array(values).fill(none)
  const take = new Int32Array(values).fill(none)
  const putInvoke = new Int32Array(values).fill(never)
  const putComplete = new Int32Array(values).fill(never)
  const takeInvoke = new Int32Array(values).fill(never)
  const takeComplete = new Int32Array(values).fill(never)
  const emptyTakes: number[] = []
  const unknownTakes: number[] = []

  for (let operation = 0; operation < part.count; operation += 1) {
    if (kind[operation] !== containerKind.put) continue
    const element = a[operation] as number
    if (put[element] !== none) return { valid: 'unknown', reason: 'an element was put more than once' }
    put[element] = operation
    putInvoke[element] = invoke[operation] as number
    putComplete[element] = complete[operation] as number
  }
  for (let operation = 0; operation < part.count; operation += 1) {
    if (kind[operation] === containerKind.put) continue
    const element = a[operation] as number
    if (complete[operation] === never) unknownTakes.push(operation)
    else if (element === none) emptyTakes.push(operation)
    else if (put[element] === none) return phantom(part, operation)
    else if (take[element] !== none)
      return takenTwice(part, put[element] as number, take[element] as number, operation)
    else {
      take[element] = operation
      takeInvoke[element] = invoke[operation] as number
      takeComplete[element] = complete[operation] as number
      if (takeComplete[element] < (putInvoke[element] as number)) {
        return fromTheFuture(part, put[element] as number, operation)
      }
    }
  }
  const count = values
  return { count, put, take, putInvoke, putComplete, takeInvoke, takeComplete, emptyTakes, unknownTakes }
}

function phantom(part: Part, take: number): Decision {
  return violationOf(part, {
    type: 'phantom-value',
    operations: [take],
    explain: ({ tell, value }) =>
      `${tell(take)} returned ${value(part.a[take] as number)}, which was never put there.`,
  })
}

function takenTwice(part: Part, put: number, first: number, second: number): Decision {
  return violationOf(part, {
    type: 'duplicate-take',
    operations: [put, first, second],
    explain: ({ tell, value }) =>
      `${value(part.a[put] as number)} was put once, by ${tell(put)}, and taken twice: by ${tell(first)} and by ${tell(second)}.`,
  })
}

function fromTheFuture(part: Part, put: number, take: number): Decision {
  return violationOf(part, {
    type: 'value-from-the-future',
    operations: [put, take],
    explain: ({ tell, value }) =>
      `${tell(take)} had returned ${value(part.a[put] as number)} before ${tell(put)} began.`,
  })
}
