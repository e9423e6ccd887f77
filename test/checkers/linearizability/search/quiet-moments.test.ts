import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoryOf } from '../../../../src/checkers/linearizability/search/memory.js'
import { callsOfGroup } from '../../../../src/checkers/linearizability/search/model-calls.js'
import { modelProblem } from '../../../../src/checkers/linearizability/search/model-problem.js'
import type { Problem } from '../../../../src/checkers/linearizability/search/problem.js'
import { Search } from '../../../../src/checkers/linearizability/search/search.js'
import { bytesForTables } from '../../../../src/checkers/linearizability/search/tables.js'
import { columnsOf } from '../../../../src/history/columns-builder.js'
import type { Operation } from '../../../../src/history/operation.js'
import { modelNamed } from '../../../../src/models/index.js'
import type { Model, Semantics } from '../../../../src/models/model.js'
import { isLinearizable } from '../../brute-force.js'
import { operation } from '../../operation.js'
import { historyInRounds } from '../../small-history.js'
import { randomHistories } from '../../../support/random-histories.js'

const semantics: Semantics = { init: 0, nullRead: 'absent', failed: 'ignored' }

function problemOf(operations: readonly Operation[], model: Model): Problem {
  const columns = columnsOf(operations)
  const group = { key: 'x', operations: [...operations.keys()] }
  return modelProblem(callsOfGroup(group, { columns, model }), model)
}

/** As a model of one value, as any model with overwrites, and as one of which nothing is known. */
function seenAs(as: 'value' | 'overwrites' | 'any', name: string): Model {
  const { registerAction, isOverwrite, ...plain } = modelNamed(name, semantics)
  return {
    ...plain,
    ...(as === 'value' && registerAction ? { registerAction } : {}),
    ...(as !== 'any' && isOverwrite ? { isOverwrite } : {}),
  }
}

const combinations = (['register', 'cas-register', 'map'] as const).flatMap((model) =>
  (['value', 'overwrites', 'any'] as const).map((as) => ({ model, as })),
)
const runs = randomHistories(500, combinations.length)

describe.each(combinations)('a $model as $as, with quiet moments', { timeout: 600_000 }, ({ model, as }) => {
  it('is judged as the definition does', () => {
    const judged = seenAs(as, model)
    const seen = { linearizable: 0, 'not-linearizable': 0 }
    fc.assert(
      fc.property(historyInRounds(model, 0), (operations) => {
        const search = Search.of(problemOf(operations, judged), memoryOf(1e8))
        const expected = isLinearizable(operations, semantics) ? 'linearizable' : 'not-linearizable'
        expect(search?.advance(1e6)).toBe(expected)
        seen[expected] += 1
      }),
      { numRuns: runs },
    )
    expect(Math.min(...Object.values(seen)) / runs).toBeGreaterThan(0.1)
  })
})

describe('a long history with quiet moments', () => {
  const rounds = 2_000
  const clients = 9

  /** Rounds of writes and CAS that overlap, and a read by itself after each: of what was written last, or `last`. */
  function longHistory(last?: number): Operation[] {
    const operations: Operation[] = []
    for (let round = 0; round < rounds; round += 1) {
      const start = round * 100
      for (let client = 0; client < clients; client += 1) {
        const at = [start + client, start + 50 + client] as const
        operations.push(
          client % 3 === 0
            ? operation({ op_type: 'cas', input: [client, 100 + client], output: false, at, key: 'x' })
            : operation({ op_type: 'write', input: client, at, key: 'x' }),
        )
      }
      const output = round === rounds - 1 && last !== undefined ? last : clients - 1
      operations.push(operation({ op_type: 'read', output, at: [start + 90, start + 91], key: 'x' }))
    }
    return operations
  }

  /** Memory for what is there from the start, and for little more than what a few rounds take. */
  function searched(operations: readonly Operation[], model: Model) {
    const problem = problemOf(operations, model)
    const memory = memoryOf(bytesForTables(problem) + 1_000_000)
    const search = Search.of(problem, memory) ?? expect.fail('no memory for the smallest tables')
    return { outcome: search.advance(1e7), search }
  }

  it('takes no more memory than its busiest stretch', () => {
    expect(searched(longHistory(), seenAs('value', 'cas-register')).outcome).toBe('linearizable')
  })

  it('is refuted without going back to what is settled', () => {
    const { outcome, search } = searched(longHistory(99), seenAs('value', 'cas-register'))
    expect(outcome).toBe('not-linearizable')
    expect(search.stuckAt).toBe(search.problem.count - 1)
  })
})

describe('operations one after the other', () => {
  const steps = 100_000

  /** Increments and reads of a counter by one client; nothing tells the state but all that came before. */
  function counted(last: number): Problem {
    const operations = Array.from({ length: steps }, (_, index) =>
      index % 2 === 0
        ? operation({ op_type: 'add', input: 1, at: [index * 2, index * 2 + 1] })
        : operation({
            op_type: 'read',
            output: index === steps - 1 ? last : (index + 1) / 2,
            at: [index * 2, index * 2 + 1],
          }),
    )
    const columns = columnsOf(operations)
    const model = modelNamed('counter')
    return modelProblem(
      callsOfGroup({ key: null, operations: [...operations.keys()] }, { columns, model }),
      model,
    )
  }

  it.each([
    [steps / 2, 'linearizable'],
    [7, 'not-linearizable'],
  ] as const)('with a last read of %i are %s, and no way back is kept', (last, expected) => {
    const problem = counted(last)
    const memory = memoryOf(1e9)
    const search = Search.of(problem, memory) ?? expect.fail('no memory')
    const before = memory.taken
    expect(search.advance(1e6)).toBe(expected)
    // Nothing but the states that the counter went through.
    expect(memory.taken - before).toBeLessThanOrEqual(problem.behaviour.bytes)
  })
})
