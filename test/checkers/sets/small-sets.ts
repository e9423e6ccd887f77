import fc from 'fast-check'
import type { Operation } from '../../../src/history/operation.js'
import type { Json } from '../../../src/json.js'

interface Step {
  readonly type: string
  readonly key: string
  readonly element: Json
  readonly invoke: number
  readonly length: number
  readonly effect: number
  readonly outcome: string
  readonly spoilt: string
}

/**
 * Small histories of real sets, some of whose reads are then spoilt: few elements, operations that touch or overlap, and
 * every outcome. Most end with a read of each set.
 */
export function smallSets(
  types: readonly string[],
  { maxLength = 8 }: { maxLength?: number } = {},
): fc.Arbitrary<Operation[]> {
  const reading = {
    type: fc.constant('read'),
    key: fc.constantFrom('x', 'x', 'x', 'x', 'x', 'x', 'y'),
    element: fc.constantFrom<Json>(1, 2, '1', [0, 1]),
    invoke: fc.integer({ min: 0, max: 9 }),
    length: fc.integer({ min: 0, max: 4 }),
    effect: fc.integer({ min: 0, max: 5 }),
    outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'unknown', 'lost'),
    spoilt: fc.constantFrom('', '', '', '', '', '', '', 'without', 'with', 'twice'),
  }
  const step = fc.record({ ...reading, type: fc.constantFrom(...types) })
  const steps = fc.array(step, { maxLength, size: 'max' })
  const last = fc.record({
    ...reading,
    invoke: fc.integer({ min: 9, max: 16 }),
    outcome: fc.constant('ok'),
    spoilt: fc.constantFrom('', '', '', 'without', 'with', 'twice'),
  })
  return fc.tuple(steps, fc.option(last, { nil: null, freq: 8 })).map(([before, end]) => {
    const keys = end === null ? [] : [...new Set(before.map(({ key }) => key))]
    return play([...before, ...keys.map((key) => ({ ...(end as Step), key }))])
  })
}

function play(steps: readonly Step[]): Operation[] {
  const states = new Map<string, Json[]>()
  const operations = new Array<Operation>(steps.length)
  const effectOf = ({ invoke, effect, length }: Step) => invoke + Math.min(effect, length)
  const order = [...steps.keys()].sort((a, b) => effectOf(steps[a] as Step) - effectOf(steps[b] as Step))
  const same = (a: Json, b: Json) => JSON.stringify(a) === JSON.stringify(b)
  for (const index of order) {
    const { type, key, element, invoke, length, outcome, spoilt } = steps[index] as Step
    const state = states.get(key) ?? []
    const without = state.filter((other) => !same(other, element))
    const happens = outcome === 'ok' || outcome === 'unknown'
    if (happens && type === 'add') states.set(key, [...without, element])
    if (happens && type === 'remove') states.set(key, without)
    const read = { '': state, without, with: [...without, element], twice: [...state, ...state.slice(0, 1)] }
    const answer =
      type === 'read'
        ? (read[spoilt as keyof typeof read] ?? null)
        : type === 'contains'
          ? state.some((other) => same(other, element)) !== (spoilt !== '')
          : null
    const open = outcome === 'unknown' || outcome === 'lost'
    operations[index] = {
      op_id: index,
      process_id: index,
      invoke_ts: invoke,
      complete_ts: open ? null : invoke + length,
      op_type: type,
      key,
      input: type === 'read' ? null : element,
      output: outcome === 'ok' ? answer : null,
      error: outcome === 'ok' ? null : outcome === 'failed' ? 'refused' : 'timeout',
      timeout_marker: open,
      node_seen: null,
      fault_epoch: null,
    }
  }
  return operations
}
