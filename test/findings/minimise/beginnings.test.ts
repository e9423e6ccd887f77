import { describe, expect, it } from 'vitest'
import { linearizable } from '../../../src/checkers/index.js'
import { historyOf } from '../../../src/findings/minimise/beginnings/from-a-state.js'
import { minimise } from '../../../src/findings/minimise/minimise.js'
import { validHistory } from '../../../src/generators/valid-history.js'
import type { Operation } from '../../../src/history/operation.js'
import { modelNamed } from '../../../src/models/named.js'
import { Random } from '../../../src/random/random.js'
import { forbiddenBy } from '../../../src/sensitivity/forbids.js'
import { operation } from '../../checkers/operation.js'

const timeoutMs = 60_000
const checker = linearizable()

async function coreOf(
  operations: readonly Operation[],
  name: string,
  given: { fromTheStart?: boolean } = {},
) {
  const model = modelNamed(name)
  const result = await checker.check({ operations, model, collected: null, timeoutMs })
  return minimise({ checker, model, operations, result, timeoutMs, ...given })
}

/** Three thousand operations, a few percent of them of unknown outcome, and one mutation. */
function mutant(name: string, seed: number): readonly Operation[] {
  const model = modelNamed(name)
  const shape = { operations: 3_000, processes: 5, unknown: 0.02, failed: 0.01, seed }
  const history = { operations: validHistory(model, shape), model, collected: null }
  const random = new Random(seed)
  for (const mutation of random.shuffle(forbiddenBy(checker, history).mutations)) {
    const drawn = mutation.draw(history, random)
    if (drawn !== null) return drawn.operations
  }
  throw new Error(`no mutant of ${name}`)
}

describe.each(['counter', 'log'])('in a long history of a %s', (name) => {
  it.each([1, 2, 3, 4])(
    'the core is a state and a few operations (seed %i)',
    { timeout: 120_000 },
    async (seed) => {
      const core = await coreOf(mutant(name, seed), name)
      expect(core?.minimal).toBe(true)
      expect(core?.operations.length).toBeLessThanOrEqual(3)
      const from = modelNamed(name, { init: core?.beginning?.init ?? null })
      const again = (operations: readonly Operation[]) =>
        checker.check({ operations, model: from, collected: null, timeoutMs })
      expect((await again(historyOf(core!))).valid).toBe(false)
      for (const one of core?.operations ?? []) {
        const rest = core?.operations.filter((other) => other !== one) ?? []
        expect((await again(historyOf({ operations: rest, open: core?.open ?? [] }))).valid).not.toBe(false)
      }
    },
  )
})

/** Increments that are acknowledged one after the other, among them some of which nobody knows. */
function increments(count: number, unknown: number): Operation[] {
  return Array.from({ length: count }, (_, id) =>
    operation({
      op_id: id,
      process_id: id,
      op_type: 'inc',
      at: [10 * id, id < unknown ? null : 10 * id + 5],
    }),
  )
}

describe('of a counter', () => {
  it('no more unknown additions are still to come than the value before leaves', async () => {
    const before = increments(40, 10)
    const read = (id: number, output: number) =>
      operation({ op_id: id, process_id: id, op_type: 'read', output, at: [10 * id, 10 * id + 5] })
    // Of the ten that are not known, eight are in the first read: the second cannot meet three more.
    const core = await coreOf([...before, read(41, 38), read(42, 41)], 'counter')
    expect(core?.operations.map(({ op_id: id }) => id)).toEqual([42])
    expect(core?.beginning).toMatchObject({ init: 38, state: '38', shownBy: { op_id: 41 } })
    expect(core?.open).toHaveLength(2)
    expect(core?.explanation).toBe(
      'The state was 38, as read -> 38 (operation 41) shows: from there on read -> 41 (operation 42) is not possible, whichever of 2 other changes took effect meanwhile.',
    )
  })

  it('what was in flight when the state was shown may be part of it: it has no answer in the core, and a process of its own', async () => {
    const read = (id: number, output: number, at: [number, number]) =>
      operation({ op_id: id, process_id: id, op_type: 'read', output, at })
    const history = [
      ...increments(40, 0),
      operation({ op_id: 'slow', process_id: 7, op_type: 'inc', at: [500, 530] }),
      read(41, 40, [510, 515]),
      read(42, 42, [520, 525]),
    ]
    const core = await coreOf(history, 'counter')
    expect(core?.operations.map(({ op_id: id }) => id)).toEqual([42])
    expect(core?.open).toMatchObject([
      { op_id: 'slow', process_id: 'of slow', complete_ts: null, output: null, timeout_marker: true },
    ])
    expect(core?.open[0]?.error).toContain('may have been part of the state before')
  })

  it('begins as the history does where it has to, and where that is as small', async () => {
    const history = mutant('counter', 1)
    const whole = await coreOf(history, 'counter', { fromTheStart: true })
    expect(whole?.beginning).toBeNull()
    expect(whole?.open).toEqual([])
    const short = [
      operation({ op_id: 0, process_id: 0, op_type: 'read', output: 0, at: [0, 5] }),
      operation({ op_id: 1, process_id: 1, op_type: 'read', output: 4, at: [10, 15] }),
    ]
    const core = await coreOf(short, 'counter')
    expect(core?.beginning).toBeNull()
    expect(core?.operations).toHaveLength(1)
  })
})
