import { afterAll, describe, expect, it } from 'vitest'
import { checkerNamed } from '../../../src/checkers/named.js'
import type { CheckResult } from '../../../src/checkers/checker.js'
import { minimise } from '../../../src/findings/minimise/minimise.js'
import { rulesFor } from '../../../src/findings/minimise/rules.js'
import { closed, type Ties } from '../../../src/findings/minimise/ties/ties.js'
import { shortestAnomaly } from '../../../src/findings/violation.js'
import { validHistory } from '../../../src/generators/valid-history.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { modelNamed, modelNames } from '../../../src/models/named.js'
import { Random } from '../../../src/random/random.js'
import { forbiddenBy } from '../../../src/sensitivity/forbids.js'
import { hasOrder, inRealTime, inSession } from '../../sensitivity/by-definition.js'
import { randomHistories } from '../../support/random-histories.js'

/** Each takes dozens of checks, some of them by search. */
const mostOfEach = 100
const ofEach = Math.min(mostOfEach, randomHistories(25, 2 * modelNames.length))
const timeoutMs = 20_000
const signal = new AbortController().signal

/** Cores that were made in all, and those that were smaller than the history. */
const made = { all: 0, smaller: 0 }
afterAll(() => expect(made.smaller).toBeGreaterThan(made.all / 2))

describe.each(modelNames)('cores of violations of %s', (name) => {
  it.each([
    { checker: 'linearizable', precedes: inRealTime },
    { checker: 'sequential', precedes: inSession },
  ])('are $checker violations of which nothing can be left out', { timeout: 300_000 }, async (claim) => {
    const model = modelNamed(name)
    const checker = checkerNamed(claim.checker)
    for (let seed = 0; seed < ofEach; seed += 1) {
      const shape = { operations: 4 + (seed % 8), processes: 1 + (seed % 3), keys: 1 + (seed % 2) }
      const clean = validHistory(model, { ...shape, unknown: 0.1, failed: 0.05, seed })
      const history = { operations: clean, model, collected: null }
      const [mutation] = new Random(seed).shuffle(forbiddenBy(checker, history).mutations)
      const operations = mutation?.draw(history, new Random(seed))?.operations
      if (operations === undefined) continue
      const result = await checker.check({ operations, model, collected: null, timeoutMs })
      if (result.valid !== false) continue
      const core = await minimise({
        checker,
        model,
        operations,
        result,
        timeoutMs,
        signal,
        fromTheStart: true,
      })
      const told = `seed ${seed}: ${JSON.stringify(core?.operations)}\nof ${JSON.stringify(operations)}`
      if (core === null) return expect.fail(told)
      made.all += 1
      if (core.operations.length < operations.length) made.smaller += 1

      const kept = new Set(core.operations)
      expect(operations.filter((operation) => kept.has(operation))).toEqual(core.operations)
      expect(core.minimal, told).toBe(true)
      if (hasOrder(core.operations, { model, precedes: claim.precedes })) expect.fail(`explained, ${told}`)
      expect(missingCauses(core.operations, operations), told).toEqual([])

      const ties = rulesFor(checker, model)?.ties(operations) as Ties
      const anomaly = shortestAnomaly(result)
      const around = closed(
        operations.filter(({ op_id: id }) => anomaly?.operations.includes(id)),
        { ties, history: operations },
      ).operations
      expect(core.operations.length, told).toBeLessThanOrEqual(around.length)
      for (const operation of core.operations) {
        const rest = without(operation, core.operations, ties)
        const again = await checker.check({
          operations: ties.shown?.(rest) ?? rest,
          model,
          collected: null,
          timeoutMs,
        })
        if (showsSame(again, core.type))
          expect.fail(`without ${operation.op_id}: ${again.anomalies[0]?.explanation}\n${told}`)
      }
    }
  })
})

/** Without the operation and all that has to go with it. */
function without(operation: Operation, core: readonly Operation[], ties: Ties): readonly Operation[] {
  const until = Math.max(...core.map(({ complete_ts: completed }) => completed ?? -1))
  const out = new Set([operation])
  for (let isMore = true; isMore;) {
    const next = core.filter(
      (other) => !out.has(other) && ties.causesOf(other, until).some((cause) => out.has(cause)),
    )
    for (const other of next) out.add(other)
    isMore = next.length > 0
  }
  return core.filter((other) => !out.has(other))
}

function showsSame({ valid, anomalies }: CheckResult, type: string | null): boolean {
  return valid === false && (type === null || anomalies.some((one) => one.type === type))
}

/** Operations that met a value which somebody wrote or put in, but nobody in the core did. */
function missingCauses(core: readonly Operation[], all: readonly Operation[]): readonly Operation[] {
  const isSource = (operation: Operation, value: string, key: Operation['key']) =>
    outcomeOf(operation) !== 'failed' &&
    !(operation.op_type === 'cas' && operation.output === false) &&
    operation.key === key &&
    ['write', 'put', 'enqueue', 'push', 'insert', 'cas'].includes(operation.op_type) &&
    JSON.stringify(operation.op_type === 'cas' ? (operation.input as unknown[])[1] : operation.input) ===
      value
  return core.filter((operation) => {
    const isMeeting = ['read', 'get', 'dequeue', 'pop', 'poll'].includes(operation.op_type)
    if (!isMeeting || outcomeOf(operation) !== 'ok' || operation.output === null) return false
    const value = JSON.stringify(operation.output)
    const isWrittenIn = (part: readonly Operation[]) =>
      part.some((other) => isSource(other, value, operation.key))
    return isWrittenIn(all) && !isWrittenIn(core)
  })
}
