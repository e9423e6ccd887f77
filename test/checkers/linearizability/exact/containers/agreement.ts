import fc from 'fast-check'
import { expect } from 'vitest'
import {
  containerKind,
  never,
  none,
  type ExactChecker,
  type Part,
} from '../../../../../src/checkers/linearizability/part.js'
import type { Operation } from '../../../../../src/history/operation.js'
import { modelNamed } from '../../../../../src/models/index.js'
import { partsOfOperations } from '../../parts.js'
import { isLinearizable } from './definition.js'
import { smallHistory, type ContainerName } from './histories.js'
import { randomHistories } from '../../../../support/random-histories.js'

export const runs = randomHistories(3_000)

/** How often each answer was right. */
interface Seen {
  valid: number
  invalid: number
  repeated: number
  givenUp: number
  empty: number
  withUnknown: number
  types: Record<string, number>
}

/**
 * Compares a checker with the definition on random small histories. `unknown` is right only when an element was put
 * twice or where `mayGiveUp` says so. What it says of an invalid part must be invalid by itself, and still is when every
 * take of unknown outcome is there to help.
 */
export function agreesWithDefinition(
  checker: ExactChecker,
  { mayGiveUp }: { mayGiveUp: (part: Part) => boolean },
): Seen {
  const seen: Seen = { valid: 0, invalid: 0, repeated: 0, givenUp: 0, empty: 0, withUnknown: 0, types: {} }
  const container = checker.object as ContainerName
  fc.assert(
    fc.property(smallHistory(container), (operations) => judge(operations, { checker, mayGiveUp, seen })),
    { numRuns: runs },
  )
  return seen
}

function judge(
  operations: readonly Operation[],
  { checker, mayGiveUp, seen }: { checker: ExactChecker; mayGiveUp: (part: Part) => boolean; seen: Seen },
): void {
  const model = modelNamed(checker.object)
  const [part] = partsOfOperations(operations, model)
  if (part === undefined) {
    seen.empty += 1
    return
  }
  const decision = checker.decide(part)
  if (decision.valid === 'unknown') {
    if (repeats(part)) {
      seen.repeated += 1
      return
    }
    expect(mayGiveUp(part)).toBe(true)
    seen.givenUp += 1
    return
  }
  const expected = isLinearizable(part)
  expect(decision.valid).toBe(expected)
  seen[expected ? 'valid' : 'invalid'] += 1
  if (part.complete.includes(never)) seen.withUnknown += 1
  if (decision.valid) return

  const { violation } = decision
  const invoked = violation.operations.map((operation) => part.invoke[operation] as number)
  expect(invoked).toEqual([...new Set(invoked)].toSorted((x, y) => x - y))
  const told = violation.explain({ tell: (one) => `operation ${one}`, value: (id) => `value ${id}` })
  expect(told).not.toMatch(/undefined|NaN|-1/)
  const unknownTakes = [...part.kind.keys()].filter(
    (one) => part.kind[one] === containerKind.take && part.complete[one] === never,
  )
  const type = unknownTakes.length === 0 ? violation.type : `${violation.type} despite unknown takes`
  seen.types[type] = (seen.types[type] ?? 0) + 1
  for (const kept of [violation.operations, [...violation.operations, ...unknownTakes]]) {
    const sources = new Set(kept.map((operation) => part.source[operation]))
    const [restricted] = partsOfOperations(
      operations.filter((_, index) => sources.has(index)),
      model,
    )
    expect(restricted !== undefined && isLinearizable(restricted)).toBe(false)
  }
}

function repeats(part: Part): boolean {
  const puts = [...part.kind.keys()].filter((one) => part.kind[one] === containerKind.put)
  return new Set(puts.map((one) => part.a[one])).size < puts.length
}

/** Takes of unknown outcome, and elements that were put and that no take returned. */
export function leftoversAndUnknownTakes(part: Part): boolean {
  const all = [...part.kind.keys()]
  const taken = new Set(all.filter((one) => part.kind[one] === containerKind.take).map((one) => part.a[one]))
  const unknown = all.some(
    (one) => part.kind[one] === containerKind.take && part.complete[one] === never && part.a[one] === none,
  )
  const left = all.some(
    (one) => part.kind[one] === containerKind.put && part.complete[one] !== never && !taken.has(part.a[one]),
  )
  return unknown && left
}

/** Both verdicts, and what makes them hard, were met often enough to mean something; and hardly any is left to search. */
export function expectVariety({ valid, invalid, withUnknown, empty, givenUp }: Seen): void {
  const decided = valid + invalid
  expect(empty).toBeGreaterThan(0)
  expect(givenUp / decided).toBeLessThan(0.01)
  expect(Math.min(valid, invalid) / decided).toBeGreaterThan(0.1)
  expect(withUnknown / decided).toBeGreaterThan(0.2)
}
