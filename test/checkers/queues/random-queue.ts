import fc from 'fast-check'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'

type Spoil = 'no' | 'swap' | 'again' | 'lose' | 'stray'

const usual: readonly Spoil[] = [
  'no',
  'no',
  'no',
  'no',
  'no',
  'no',
  'no',
  'no',
  'swap',
  'again',
  'lose',
  'stray',
]

const step = (spoils: readonly Spoil[]) =>
  fc.record({
    type: fc.constantFrom('enqueue', 'enqueue', 'dequeue', 'dequeue', 'dequeue'),
    key: fc.constantFrom<string | null>(null, null, null, null, 'k'),
    value: fc.integer({ min: 0, max: 2 }),
    process: fc.integer({ min: 0, max: 1 }),
    gap: fc.integer({ min: -2, max: 2 }),
    length: fc.integer({ min: 0, max: 5 }),
    outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'unknown', 'lost'),
    spoilt: fc.constantFrom(...spoils),
  })

const ending = fc.constantFrom<'drained' | 'drain' | 'open'>('drained', 'drained', 'drain', 'open')

/**
 * Small histories of a real queue that is drained at the end, or not, and whose answers are then spoilt: elements that
 * come out of turn, come again, vanish or come from nowhere. With `distinct` every element is put in once; `spoils` are drawn
 * from for each operation.
 */
export function randomQueue({
  distinct = false,
  spoils = usual,
}: { distinct?: boolean; spoils?: readonly Spoil[] } = {}): fc.Arbitrary<Operation[]> {
  const puts = step(spoils).map((one): Step => ({ ...one, type: 'enqueue' }))
  return fc
    .tuple(
      fc.array(puts, { maxLength: 4, size: 'max' }),
      fc.array(step(spoils), { maxLength: 5, size: 'max' }),
      ending,
      fc.constantFrom(...spoils),
    )
    .map(([first, then, end, spoilt]) => play([...first, ...then], { end, spoilt, distinct }))
}

type Step = ReturnType<typeof step> extends fc.Arbitrary<infer One> ? One : never

function play(
  steps: readonly Step[],
  { end, spoilt, distinct }: { end: 'drained' | 'drain' | 'open'; spoilt: Spoil; distinct: boolean },
): Operation[] {
  const queues = new Map<string | null, Json[]>()
  const gone = new Map<string | null, Json[]>()
  const operations: Operation[] = []
  let now = 2
  const record = (
    given: Pick<Operation, 'op_type' | 'key' | 'input' | 'output' | 'process_id'>,
    one: Step,
  ) => {
    const open = one.outcome === 'unknown' || one.outcome === 'lost'
    operations.push({
      op_id: operations.length,
      invoke_ts: now,
      complete_ts: open ? null : now + one.length,
      error: one.outcome === 'ok' ? null : one.outcome === 'failed' ? 'refused' : 'timeout',
      timeout_marker: open,
      node_seen: null,
      fault_epoch: null,
      ...given,
      output: one.outcome === 'ok' ? given.output : null,
    })
    now = Math.max(0, now + one.length + one.gap)
  }
  for (const one of steps) {
    const queue = queues.get(one.key) ?? []
    const taken = gone.get(one.key) ?? []
    queues.set(one.key, queue)
    gone.set(one.key, taken)
    const happens = one.outcome === 'ok' || one.outcome === 'unknown'
    if (one.type === 'enqueue') {
      const value = distinct ? 10 + operations.length : one.value
      if (happens && one.spoilt !== 'lose') queue.push(value)
      record(
        { op_type: 'enqueue', key: one.key, input: value, output: null, process_id: `p${one.process}` },
        one,
      )
      continue
    }
    let output: Json = null
    if (happens) output = takeFrom(queue, taken, one.spoilt)
    record({ op_type: 'dequeue', key: one.key, input: null, output, process_id: `c${one.process}` }, one)
  }
  if (end === 'open') return operations
  now += 10
  const last: Step = {
    type: 'dequeue',
    key: null,
    value: 0,
    process: 0,
    gap: 1,
    length: 1,
    outcome: 'ok',
    spoilt: 'no',
  }
  for (const [key, queue] of queues) {
    const left = spoiltRest(queue, spoilt)
    if (end === 'drain') {
      record({ op_type: 'drain', key, input: null, output: left, process_id: 'c0' }, last)
      continue
    }
    for (const output of [...left, null]) {
      record({ op_type: 'dequeue', key, input: null, output, process_id: 'c0' }, last)
    }
  }
  return operations
}

function takeFrom(queue: Json[], taken: Json[], spoilt: string): Json {
  if (spoilt === 'stray') return 9
  if (spoilt === 'again') return taken.at(-1) ?? null
  const value = (spoilt === 'swap' ? queue.pop() : queue.shift()) ?? null
  if (value !== null) taken.push(value)
  return spoilt === 'lose' ? null : value
}

function spoiltRest(queue: readonly Json[], spoilt: Spoil): Json[] {
  switch (spoilt) {
    case 'no':
      return [...queue]
    case 'swap':
      return queue.toReversed()
    case 'again':
      return [...queue, ...queue.slice(0, 1)]
    case 'lose':
      return queue.slice(1)
    case 'stray':
      return [...queue, 9]
  }
}
