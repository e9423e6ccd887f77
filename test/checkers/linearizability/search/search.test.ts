import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { partsOf } from '../../../../src/checkers/linearizability/encode.js'
import { memoryOf } from '../../../../src/checkers/linearizability/search/memory.js'
import { callsOfGroup, callsOfPart } from '../../../../src/checkers/linearizability/search/model-calls.js'
import { modelProblem } from '../../../../src/checkers/linearizability/search/model-problem.js'
import type { Problem } from '../../../../src/checkers/linearizability/search/problem.js'
import { registerProblem } from '../../../../src/checkers/linearizability/search/register-problem.js'
import { searchInTurns } from '../../../../src/checkers/linearizability/search/search-in-turns.js'
import { Search } from '../../../../src/checkers/linearizability/search/search.js'
import { startPacer } from '../../../../src/checkers/pacer.js'
import { columnsOf } from '../../../../src/history/columns-builder.js'
import type { Operation } from '../../../../src/history/operation.js'
import { kvStringAppend, modelNamed, register } from '../../../../src/models/index.js'
import type { Model, Semantics } from '../../../../src/models/model.js'
import { isLinearizable } from '../../brute-force.js'
import { operation } from '../../operation.js'
import { smallHistory } from '../../small-history.js'
import { randomHistories } from '../../../support/random-histories.js'

const memory = () => memoryOf(100_000_000)

/** A problem for each object: as a register in columns, as a model of one value, or as any model. */
function problemsOf(
  operations: readonly Operation[],
  model: Model,
  as: 'columns' | 'value' | 'any',
): Problem[] {
  const columns = columnsOf(operations)
  const { parts } = partsOf(columns, model)
  return parts.map((part) => {
    if (as === 'columns') return registerProblem(part) as Problem
    const { registerAction: _, ...plain } = model
    return modelProblem(callsOfPart(part, { columns, model }), as === 'any' ? plain : model)
  })
}

/** Backwards: a claimed order that is mostly wrong must not change a verdict. */
const withOrder = (problem: Problem): Problem => ({
  ...problem,
  order: Float64Array.from({ length: problem.count }, (_, index) => (index % 3 === 0 ? Infinity : -index)),
})

const combinations = (['register', 'cas-register', 'map'] as const).flatMap((model) =>
  (['columns', 'value', 'any'] as const).flatMap((as) =>
    (['ignored', 'observed'] as const).map((failed) => ({ model, as, failed })),
  ),
)

const runs = randomHistories(500, combinations.length)

describe.each(combinations)(
  'the search of a $model as $as, failures $failed',
  { timeout: 600_000 },
  (given) => {
    it('agrees with the definition on random small histories', () => {
      const semantics: Semantics = { init: 0, nullRead: 'absent', failed: given.failed }
      const model = modelNamed(given.model, semantics)
      const seen = { true: 0, false: 0 }
      fc.assert(
        fc.property(smallHistory(given.model, 0), fc.boolean(), (operations, isOrdered) => {
          const expected = isLinearizable(operations, semantics)
          const outcomes = problemsOf(operations, model, given.as).map((problem) => {
            const search = Search.of(isOrdered ? withOrder(problem) : problem, memory())
            // One move at a time: it goes on where it stopped.
            let outcome = search?.advance(1)
            for (let moves = 0; outcome === 'open' && moves < 100_000; moves += 1)
              outcome = search?.advance(1)
            return outcome
          })
          expect(outcomes).not.toContain('open')
          expect(outcomes.every((outcome) => outcome === 'linearizable')).toBe(expected)
          seen[expected ? 'true' : 'false'] += 1
        }),
        { numRuns: runs },
      )
      expect(Math.min(seen.true, seen.false) / (seen.true + seen.false)).toBeGreaterThan(0.1)
    })
  },
)

describe('the search of appends', () => {
  const puts = (id: number, type: string, input: string, at: [number, number | null]) =>
    operation({ op_id: id, op_type: type, input, key: 'k', at })
  const get = (id: number, output: string, at: [number, number]) =>
    operation({ op_id: id, op_type: 'get', output, key: 'k', at })

  it('hides a put before another one and gives up states that lead nowhere', () => {
    const open = [puts(1, 'put', 'a', [0, 9]), puts(2, 'append', 'b', [0, 9]), puts(3, 'put', 'c', [1, null])]
    const judge = (seen: string) => {
      const operations = [...open, get(4, seen, [20, 21])]
      return outcomeOf(operations, kvStringAppend())
    }
    expect(['a', 'ab', 'c', 'cb'].map(judge)).toEqual(Array(4).fill('linearizable'))
    expect(['', 'b', 'ba', 'ac', 'abc'].map(judge)).toEqual(Array(5).fill('not-linearizable'))
  })

  function outcomeOf(operations: readonly Operation[], model: Model) {
    const columns = columnsOf(operations)
    const calls = callsOfGroup({ key: 'k', operations: [...operations.keys()] }, { columns, model })
    return Search.of(modelProblem(calls, model), memory())?.advance(100_000)
  }
})

describe('searching in turns', () => {
  const hard = (key: string) =>
    Array.from({ length: 20 }, (_, id) =>
      operation({ op_type: 'append', input: `${id},`, key, at: [id, 1_000 + id] }),
    ).concat(operation({ op_type: 'get', output: '17,nothing', key, at: [2_000, 2_001] }))

  it('does not let a hard key hide an easy violation, and lets the tables of decided ones go', async () => {
    const reads = [operation({ op_type: 'read', output: 5, key: 'x', at: [0, 1] })]
    const easy = problemsOf(reads, register(), 'columns')
    const { searched, spent } = await searchInTurns(
      [...manyWrites(12), ...easy].map((one) => () => one),
      {
        pacer: startPacer({ timeoutMs: 60_000 }),
        memoryBytes: 100_000_000,
      },
    )
    expect(searched.at(-1)?.outcome).toBe('not-linearizable')
    expect(spent).toBeNull()
  })

  it.each([10_000, 60_000, 200_000])('never takes more than %i bytes', async (memoryBytes) => {
    const { searched, bytes, spent } = await searchInTurns(
      manyWrites(30).map((one) => () => one),
      { pacer: startPacer({ timeoutMs: 60_000 }), memoryBytes },
    )
    expect(bytes).toBeLessThanOrEqual(memoryBytes)
    if (searched[0]?.outcome === 'open') expect(spent).toContain('memory')
  })

  /** Overlapping writes of many values, and refused CAS that no order explains. */
  function manyWrites(count: number): Problem[] {
    const writes = Array.from({ length: count }, (_, id) =>
      operation({ op_type: 'write', input: id % 7, key: 'h', at: [id, 1_000 + id] }),
    )
    const cas = Array.from({ length: 7 }, (_, value) =>
      operation({ op_type: 'cas', input: [value, value + 7], output: false, key: 'h', at: [2_000, 2_010] }),
    )
    const read = operation({ op_type: 'read', output: 99, key: 'h', at: [3_000, 3_001] })
    return problemsOf([...writes, ...cas, read], modelNamed('cas-register', { init: 0 }), 'columns')
  }

  it('tells after every turn how many are decided and what was explored', async () => {
    const told: [number, number][] = []
    const problem = (values: number[]) => () =>
      problemsOf(
        values.map((value, at) => operation({ op_type: 'write', input: value, at: [at, at + 10] })),
        register(),
        'columns',
      )[0] as Problem
    const { searched } = await searchInTurns([problem([1, 2, 3]), problem([4, 5])], {
      pacer: startPacer({ timeoutMs: 60_000 }),
      memoryBytes: 1e8,
      onTurn: (decided, explored) => told.push([decided, explored]),
    })
    expect(told.map(([decided]) => decided)).toEqual([1, 2])
    expect(told.at(-1)?.[1]).toBe(searched.reduce((sum, { explored }) => sum + explored, 0))
  })

  it('says that time ran out', async () => {
    const operations = hard('k')
    const columns = columnsOf(operations)
    const model = kvStringAppend()
    const { leadsTo: _, ...blind } = model
    const calls = callsOfGroup({ key: 'k', operations: [...operations.keys()] }, { columns, model })
    const problem = () => modelProblem(calls, blind)
    const { searched, spent } = await searchInTurns([problem], {
      pacer: startPacer({ timeoutMs: 100 }),
      memoryBytes: 1_000_000_000,
    })
    expect(searched).toMatchObject([{ outcome: 'open' }])
    expect(spent).toContain('time limit')
  })
})
