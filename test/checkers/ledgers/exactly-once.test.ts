import { existsSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { atLeastOnce, exactlyOnce } from '../../../src/checkers/index.js'
import { DeclarationError } from '../../../src/errors.js'
import { outcomeOf, type Operation } from '../../../src/history/operation.js'
import { readHistory } from '../../../src/history/read.js'
import { queue } from '../../../src/models/index.js'
import { randomHistories } from '../../support/random-histories.js'
import { againstDefinition, judged } from '../against-definition.js'
import { isLinearizableBy } from '../linearizability/exact/by-model.js'
import { played } from '../linearizability/exact/played.js'
import { operation } from '../operation.js'

const patienceMs = 1_800_000

const outcomes = (operations: readonly Operation[], type: string, outcome: string) =>
  operations.filter((one) => one.op_type === type && outcomeOf(one) === outcome)

/** Acknowledged elements that a queue of the model lost, or null when takes that nobody answered may have taken them. */
function lostIn(operations: readonly Operation[]): number | null {
  const [put, maybePut] = [outcomes(operations, 'enqueue', 'ok'), outcomes(operations, 'enqueue', 'unknown')]
  const taken = outcomes(operations, 'dequeue', 'ok')
  const out = new Set(taken.map(({ output }) => output))
  const missing = [...new Set(put.map(({ input }) => input))].filter((id) => !out.has(id))
  const isLost = (id: Operation['input']) =>
    put.some((one) => {
      if (one.input !== id) return false
      const isAfter = (other: Operation) => other.invoke_ts > one.complete_ts!
      if (taken.some((take) => take.output === null && isAfter(take))) return true
      return [...out].some((passing) => {
        const puts = [...put, ...maybePut].filter(({ input }) => input === passing)
        return puts.length > 0 && puts.every(isAfter)
      })
    })
  const lost = missing.filter(isLost).length
  if (lost > outcomes(operations, 'dequeue', 'unknown').length) return lost
  return missing.length === 0 ? 0 : null
}

function isExactlyOnceInQueue(operations: readonly Operation[]): boolean | null {
  const taken = outcomes(operations, 'dequeue', 'ok').map(({ output }) => output)
  const asked = new Map<Operation['input'], boolean>()
  for (const one of operations.filter(({ op_type: type }) => type === 'enqueue')) {
    asked.set(one.input, asked.get(one.input) === true || outcomeOf(one) !== 'failed')
  }
  const isTwice = [...asked.keys()].some((id) => taken.filter((other) => other === id).length > 1)
  const isOfFailed = taken.some((id) => asked.get(id) === false)
  if (isTwice || isOfFailed) return false
  const lost = lostIn(operations)
  return lost === null ? null : lost === 0
}

/**
 * A queue that loses elements that end with 9 and gives out twice those that end with 8. Some elements are put in by
 * several operations.
 */
function queueHistories(fates: readonly number[]): fc.Arbitrary<Operation[]> {
  return played<readonly number[]>(
    {
      init: [],
      act: (n, [kind = 0, repeat = 0, fate = 0]) =>
        kind < 35
          ? { type: 'enqueue', input: 10 * (repeat < 20 ? 0 : n) + fates[fate % fates.length]! }
          : { type: 'dequeue', input: null },
      apply: (elements, { type, input }) => {
        if (type === 'dequeue') return [elements.slice(1), elements[0] ?? null]
        const element = Number(input)
        const copies = element % 10 === 9 ? 0 : element % 10 === 8 ? 2 : 1
        return [[...elements, ...Array.from({ length: copies }, () => element)], null]
      },
      spoil: (output) => output,
    },
    { most: 8, spoiltOfTen: 0 },
  )
}

interface Payment {
  readonly id: number
  readonly effect: number | null
}

/** Payments whose answers tell a booking, by their numbers; a repeat is booked again now and then. */
const payments = fc
  .array(
    fc.record({
      id: fc.nat(3),
      booking: fc.constantFrom(0, 0, 0, 0, 1, 1, null),
      outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'unknown'),
    }),
    { maxLength: 6, size: 'max' },
  )
  .map((steps) =>
    steps.map(({ id, booking, outcome }, n) => {
      const effect = booking === null ? null : 10 * id + booking
      return operation({
        op_id: `operation ${n}`,
        op_type: 'pay',
        at: [n, outcome === 'unknown' ? null : n + 1],
        input: { payment: { id } },
        output: outcome === 'ok' ? { id, effect } : null,
        ...(outcome === 'failed' ? { error: 'refused' } : {}),
      })
    }),
  )

function isBookedOnce(operations: readonly Operation[]): boolean | null {
  const answers = outcomes(operations, 'pay', 'ok').map(({ output }) => output as unknown as Payment)
  const attempts = operations.filter((one) => outcomeOf(one) !== 'failed')
  const idOf = ({ input }: Operation) => (input as { payment: { id: number } }).payment.id
  const bookings = (id: number) =>
    new Set(answers.flatMap(({ id: of, effect }) => (of === id && effect !== null ? [effect] : [])))
  if (attempts.some((one) => bookings(idOf(one)).size > 1)) return false
  const isDoubtful = attempts.some((one) => {
    const same = attempts.filter((other) => idOf(other) === idOf(one))
    const isKnown = ({ output }: Operation) =>
      output !== null && (output as unknown as Payment).effect !== null
    return same.length > 1 && !same.every(isKnown)
  })
  return isDoubtful ? null : true
}

describe('exactlyOnce and atLeastOnce', () => {
  const put = (from: number, input: Operation['input'], more: Partial<Operation> = {}) =>
    operation({ op_type: 'enqueue', at: [from, from + 1], input, op_id: `put at ${from}`, ...more })
  const take = (from: number, output: Operation['output'], more: Partial<Operation> = {}) =>
    operation({ op_type: 'dequeue', at: [from, from + 1], output, op_id: `take at ${from}`, ...more })
  const pay = (from: number, business_id: string, effect: number | null, more: Partial<Operation> = {}) =>
    operation({ op_type: 'pay', at: [from, from + 1], input: { business_id }, output: { effect }, ...more })
  const unknown = { complete_ts: null, output: null }

  it.each([
    ['each element once', [put(0, 1), take(2, 1)], true, true],
    ['an element twice', [put(0, 1), take(2, 1), take(4, 1)], false, true],
    ['an element that was put in twice, twice', [put(0, 1), put(1, 1), take(2, 1), take(4, 1)], false, true],
    ['an element that was passed over', [put(0, 1), put(2, 2), take(4, 2)], false, false],
    ['an element that the queue did not have', [put(0, 1), take(2, null)], false, false],
    ['an element that may be there still', [put(0, 1)], 'unknown', 'unknown'],
    [
      'an element that a lost answer may have taken',
      [put(0, 1), put(2, 2), take(4, null, unknown), take(6, 2)],
      'unknown',
      'unknown',
    ],
    [
      'two elements for one lost answer',
      [put(0, 1), put(2, 3), put(4, 2), take(6, null, unknown), take(8, 2)],
      false,
      false,
    ],
    ['an element of unknown outcome', [put(0, 1, unknown), take(2, null)], true, true],
    ['an element whose put failed', [put(0, 1, { error: 'refused' }), take(2, 1)], false, true],
    ['one effect an answer', [pay(0, 'p1', 1), pay(2, 'p2', 2)], true, true],
    ['a repeat with another effect', [pay(0, 'p1', 1), pay(2, 'p1', 2)], false, true],
    ['a repeat with the same effect', [pay(0, 'p1', 1), pay(2, 'p1', 1)], true, true],
    ['a repeat that does not tell', [pay(0, 'p1', null), pay(2, 'p1', null)], 'unknown', true],
    ['a repeat after an unknown outcome', [pay(0, 'p1', null, unknown), pay(2, 'p1', 2)], 'unknown', true],
    ['a refused repeat', [pay(0, 'p1', 1), pay(2, 'p1', null, { output: false })], true, true],
    ['two sides of one booking', [pay(0, 'p1', 1, { key: 'a' }), pay(2, 'p1', 2, { key: 'b' })], true, true],
    [
      'no business key',
      [operation({ op_type: 'pay', at: [0, 1], input: { amount: 3 } })],
      'unknown',
      'unknown',
    ],
    ['nothing', [], 'unknown', 'unknown'],
  ] as const)('%s', async (_, operations, exactly, atLeast) => {
    expect((await judged(exactlyOnce(), operations, queue())).valid).toBe(exactly)
    expect((await judged(atLeastOnce(), operations, queue())).valid).toBe(atLeast)
  })

  it('knows no order of elements without a model of first in, first out', async () => {
    const passed = [put(0, 1), put(2, 2), take(4, 2)]
    expect((await judged(exactlyOnce(), passed)).reason).toContain('nothing shows')
  })

  it('refuses keys that are the ids of the operations', async () => {
    expect(() => exactlyOnce({ id: 'op_id' })).toThrow(DeclarationError)
    expect(() => exactlyOnce({ id: 'op_id' })).toThrow(/a retry does not share/)
    const own = ['a', 'b'].map((op_id) =>
      operation({ op_id, op_type: 'pay', at: [0, 1], input: { op: op_id } }),
    )
    const { valid, reason } = await judged(exactlyOnce({ id: 'op' }), own)
    expect(valid).toBe('unknown')
    expect(reason).toContain('equals the id of its operation')
  })

  it('takes the key and the effect from where it is told', async () => {
    const twice = [1, 2].map((n) =>
      operation({ op_type: 'send', at: [n, n], input: { mail: { no: 7 } }, output: { queued: n } }),
    )
    const checker = exactlyOnce({ id: 'mail.no', effect: 'queued' })
    expect((await judged(checker, twice)).valid).toBe(false)
    const elements = [
      put(0, { no: 1, try: 1 }),
      put(1, { no: 1, try: 2 }),
      take(3, { no: 1, try: 1 }),
      take(5, { no: 1, try: 2 }),
    ]
    expect((await judged(exactlyOnce({ id: 'no' }), elements)).valid).toBe(false)
    expect((await judged(exactlyOnce(), elements)).valid).toBe(true)
  })

  it('counts the effects that it reads from the system', async () => {
    const context = { nodes: [], clients: [], keys: [], operations: [], signal: new AbortController().signal }
    const operations = [
      pay(0, 'p1', null),
      pay(2, 'p1', null, unknown),
      pay(4, 'p2', null),
      pay(6, 'p3', null, { error: 'no' }),
    ]
    const verdict = async (effects: readonly string[]) => {
      const checker = exactlyOnce({ effects: async () => effects })
      const collected = await checker.collect!(context)
      return (await checker.check({ operations, model: null, collected, timeoutMs: 1_000 })).anomalies.map(
        ({ type }) => type,
      )
    }
    expect(await verdict(['p1', 'p2'])).toEqual([])
    expect(await verdict(['p1', 'p1', 'p2'])).toEqual(['duplicated-effect'])
    expect(await verdict(['p1'])).toEqual(['lost-effect'])
    expect(await verdict(['p1', 'p2', 'p3'])).toEqual(['effect-of-failed'])
    const { reason } = await judged(exactlyOnce({ effects: async () => [] }), operations)
    expect(reason).toContain('did not answer with a list')
  })

  it('agrees with the definition on queues', { timeout: patienceMs }, async () => {
    await againstDefinition(exactlyOnce(), {
      histories: queueHistories([1, 2, 8, 8, 9]),
      model: queue(),
      runs: randomHistories(4_000, 4),
      isValid: isExactlyOnceInQueue,
    })
  })

  it('agrees with the definition on queues, at least once', { timeout: patienceMs }, async () => {
    await againstDefinition(atLeastOnce(), {
      histories: queueHistories([1, 9, 9, 9, 9]),
      model: queue(),
      runs: randomHistories(4_000, 4),
      isValid: (operations) => {
        const lost = lostIn(operations)
        return lost === null ? null : lost === 0
      },
    })
  })

  it('agrees with the definition on answers that tell effects', { timeout: patienceMs }, async () => {
    await againstDefinition(exactlyOnce({ id: 'payment.id' }), {
      histories: payments,
      runs: randomHistories(4_000, 4),
      isValid: isBookedOnce,
    })
  })

  it('passes whatever is linearizable and puts each element in once', { timeout: patienceMs }, async () => {
    await fc.assert(
      fc.asyncProperty(queueHistories([1, 2, 8, 8, 9]), async (operations) => {
        const put = operations.filter(({ op_type: type }) => type === 'enqueue').map(({ input }) => input)
        if (new Set(put).size < put.length || !isLinearizableBy(queue(), operations)) return
        expect((await judged(exactlyOnce(), operations, queue())).valid).not.toBe(false)
      }),
      { numRuns: randomHistories(4_000, 4) },
    )
  })

  const corpus = '../shared/corpora/cases/histories/'
  it.skipIf(!existsSync(corpus)).each([
    ['acked-publishes-lost-at-power-failure.ndjson', false, false],
    ['consume-transform-produce-twice.ndjson', false, true],
  ])('%s (needs the corpora beside the repository)', async (file, exactly, atLeast) => {
    const { operations } = await readHistory(`${corpus}${file}`)
    expect((await judged(exactlyOnce(), operations, queue())).valid).toBe(exactly)
    expect((await judged(atLeastOnce(), operations, queue())).valid).toBe(atLeast)
  })
})
