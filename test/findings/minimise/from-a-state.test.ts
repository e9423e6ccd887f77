import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  fromAState,
  historyOf,
  type FromAState,
} from '../../../src/findings/minimise/beginnings/from-a-state.js'
import { validHistory } from '../../../src/generators/valid-history.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'
import { lease } from '../../../src/models/index.js'
import { model as ownModel } from '../../../src/models/own.js'
import type { Model } from '../../../src/models/model.js'
import { modelNamed } from '../../../src/models/named.js'
import { Random } from '../../../src/random/random.js'
import { seenBy } from '../../../src/sensitivity/model-operation.js'
import { hasOrder, inRealTime } from '../../sensitivity/by-definition.js'
import { randomHistories } from '../../support/random-histories.js'

const models = ['counter', 'log', 'kv-string-append', 'membership-table', 'ledger'] as const

const isExplained = (operations: readonly Operation[], model: Model) =>
  hasOrder(operations, { model, precedes: inRealTime })

/** The core by the definition, of a violation that the named operations are said to show. */
function coreOf(history: readonly Operation[], named: readonly Operation[], model: Model) {
  const refutes = (operations: readonly Operation[], from: Model) =>
    Promise.resolve(!isExplained(operations, from))
  return fromAState(history, { model, named, refutes })
}

/** Each asks the definition many times. */
const mostOfEach = 2_000

/** Histories of one object, and whether two answers of a type have changed places, or one is another number. */
const drawn = fc.record({
  seed: fc.nat(1_000_000),
  operations: fc.integer({ min: 3, max: 9 }),
  processes: fc.integer({ min: 1, max: 4 }),
  unknown: fc.constantFrom(0, 0.2, 0.5),
  change: fc.constantFrom('none', 'swap', 'number'),
  named: fc.integer({ min: 1, max: 3 }),
})
type Drawn = typeof drawn extends fc.Arbitrary<infer Of> ? Of : never

function historyBy(name: string, { seed, operations, processes, unknown, change }: Drawn) {
  const random = new Random(seed)
  const history =
    name === 'counter' && seed % 2 === 0
      ? ofAmounts({ random, operations, unknown })
      : validHistory(modelNamed(name), { operations, processes, unknown, failed: 0.1, seed })
  return changedBy(change, name === 'log' && seed % 3 === 0 ? history.map(withFewEntries) : history, random)
}

function changedBy(
  change: Drawn['change'],
  history: readonly Operation[],
  random: Random,
): readonly Operation[] {
  const answered = history.filter((operation) => outcomeOf(operation) === 'ok' && operation.output !== null)
  if (change === 'none' || answered.length === 0) return history
  const one = random.pick(answered)
  if (change === 'number')
    return history.map((operation) => (operation === one ? changed(one, random) : operation))
  const other = random.pick(answered.filter((operation) => kindOf(operation) === kindOf(one)))
  return history.map((operation) => {
    if (operation === one) return { ...one, output: other.output }
    return operation === other ? { ...other, output: one.output } : operation
  })
}

/** Of a log: with no more than two entries that can be told apart. */
function withFewEntries(operation: Operation): Operation {
  const few = (entry: Json | undefined) => (entry === null ? null : `e${Number(entry) % 2}`)
  const { op_type: type, input, output } = operation
  if (type === 'append') return { ...operation, input: few(input) }
  if (typeof input === 'number') return { ...operation, output: few(output) }
  const { from, records } = (output ?? {}) as { from?: number; records?: readonly [number, Json][] }
  if (from === undefined || records === undefined) return operation
  return { ...operation, output: { from, records: records.map(([offset, entry]) => [offset, few(entry)]) } }
}

/** Operations of a kind take and answer values of a kind. */
function kindOf({ op_type: type, input, output }: Operation): string {
  return [
    type,
    typeof input,
    typeof output,
    output !== null && typeof output === 'object' && Object.keys(output)[0],
  ].join(' ')
}

/** Its answer one more or less, wherever it has a number; a list without its last member. */
function changed(operation: Operation, random: Random): Operation {
  const { output } = operation
  const by = random.pick([-1, 1, 5])
  if (typeof output === 'number') return { ...operation, output: Math.max(0, output + by) }
  if (Array.isArray(output)) return { ...operation, output: output.slice(0, -1) }
  if (typeof output !== 'object' || output === null) return operation
  const { offset } = output
  if (typeof offset === 'number') return { ...operation, output: { offset: Math.max(0, offset + by) } }
  const balances = Object.entries(output).map(([who, amount]) => [
    who,
    typeof amount === 'number' ? amount + by : amount,
  ])
  return operation.op_type === 'read' && !('records' in output)
    ? { ...operation, output: Object.fromEntries(balances) as Json }
    : operation
}

/** A counter with changes of several amounts, each at a moment within its interval; an unknown one perhaps never. */
function ofAmounts({
  random,
  operations: count,
  unknown,
}: {
  random: Random
  operations: number
  unknown: number
}): readonly Operation[] {
  let value = 0
  const operations = Array.from({ length: count }, (_, id): Operation => {
    const type = random.pick(['read', 'read', 'inc', 'dec', 'add-and-get', 'get-and-add'])
    const input = type === 'read' ? null : random.pick([1, 1, 2, 3])
    const isUnknown = random.float() < unknown
    const before = value
    if (!isUnknown || random.int(0, 1) === 0) value += type === 'dec' ? -(input ?? 0) : (input ?? 0)
    const answer = type === 'add-and-get' ? value : type === 'read' || type === 'get-and-add' ? before : null
    const at = 100 * (id + 1)
    return {
      op_id: id,
      process_id: `p${id}`,
      invoke_ts: Math.max(0, at - random.int(1, 250)),
      complete_ts: isUnknown ? null : at + random.int(1, 250),
      op_type: type,
      key: null,
      input,
      output: isUnknown ? null : answer,
      error: null,
      timeout_marker: isUnknown,
      node_seen: null,
      fault_epoch: null,
    }
  })
  return operations.toSorted((one, other) => one.invoke_ts - other.invoke_ts)
}

/** Any operations that are answered: it must not matter whether they show the violation. */
function namedBy(history: readonly Operation[], { seed, named }: Drawn): readonly Operation[] {
  const answered = history.filter((operation) => outcomeOf(operation) === 'ok')
  const chosen = new Set(new Random(seed + 1).shuffle(answered).slice(0, named))
  return history.filter((operation) => chosen.has(operation))
}

/** The core without one of its operations: what it did, it may have done or not. */
function without(operation: Operation, { operations, open }: FromAState, model: Model): readonly Operation[] {
  const rest = operations.filter((other) => other !== operation)
  const isObserver = model.isObserver(operation.op_type, seenBy(model, operation))
  const relaxed = { ...operation, complete_ts: null, output: null }
  return historyOf({ operations: rest, open: isObserver ? open : [...open, relaxed] })
}

describe.each(models)('a core of %s that begins with a state', (name) => {
  const model = modelNamed(name)
  const seed = 1
  const numRuns = Math.min(mostOfEach, randomHistories(300, 2 * models.length))

  it(
    'is found only of what no order explains, and is a violation of which none can be left out',
    { timeout: 300_000 },
    async () => {
      let found = 0
      await fc.assert(
        fc.asyncProperty(drawn, async (given) => {
          const history = historyBy(name, given)
          const core = await coreOf(history, namedBy(history, given), model)
          if (core === null) return
          found += 1
          expect(isExplained(history, model), 'the whole is explained').toBe(false)
          const from = modelNamed(name, { ...model.semantics, init: core.beginning.init })
          expect(isExplained(historyOf(core), from), 'the core is explained').toBe(false)
          const { shownBy } = core.beginning
          for (const operation of core.operations) {
            expect(history).toContain(operation)
            expect(operation.invoke_ts).toBeGreaterThan(shownBy.complete_ts as number)
            expect(isExplained(without(operation, core, model), from), 'it can be left out').toBe(true)
          }
        }),
        { numRuns, seed },
      )
      expect(found).toBeGreaterThan(0)
    },
  )

  it('is never found of a valid history', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(drawn, async (given) => {
        const history = historyBy(name, { ...given, change: 'none' })
        expect(await coreOf(history, namedBy(history, given), model)).toBeNull()
      }),
      { numRuns, seed },
    )
  })
})

it('is not looked for where a state cannot be the init of a model, or operations are on several objects', async () => {
  const history = validHistory(modelNamed('lease'), { operations: 20, seed: 1 })
  expect(await coreOf(history, history.slice(-3), lease())).toBeNull()
  const box = ownModel<number>({
    name: 'counter',
    operations: ['read', 'inc'],
    init: () => 0,
    step: (state, { type }) => (type === 'inc' ? state + 1 : state),
  })
  const counted = validHistory(modelNamed('counter'), { operations: 20, seed: 1 })
  expect(await coreOf(counted, counted.slice(-3), box)).toBeNull()
  const keyed = validHistory(modelNamed('counter'), { operations: 40, keys: 4, seed: 1 })
  expect(await coreOf(keyed, keyed.slice(-8), modelNamed('counter'))).toBeNull()
})
