import fc from 'fast-check'
import type { Operation } from '../../src/history/operation.js'
import type { Json } from '../../src/json.js'

type ModelName = 'register' | 'cas-register' | 'map'

const types: Record<ModelName, readonly string[]> = {
  register: ['read', 'read', 'write'],
  'cas-register': ['read', 'write', 'cas', 'cas'],
  map: ['get', 'get', 'put', 'delete'],
}

/**
 * Small histories of a real object, some of whose answers are then spoilt: few values, two keys, operations that touch
 * or overlap, and every outcome. Many of them are linearizable and many are not.
 */
export function smallHistory(model: ModelName, init: Json): fc.Arbitrary<Operation[]> {
  const step = fc.record({
    type: fc.constantFrom(...types[model]),
    key: fc.constantFrom('x', 'x', 'x', 'y'),
    value: fc.integer({ min: 0, max: 2 }),
    other: fc.constantFrom<Json>(0, 1, 2, null),
    invoke: fc.integer({ min: 0, max: 10 }),
    length: fc.integer({ min: 0, max: 6 }),
    effect: fc.integer({ min: 0, max: 6 }),
    outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'unknown', 'lost'),
    spoilt: fc.constantFrom(false, false, false, true),
  })
  return fc.array(step, { minLength: 1, maxLength: 7, size: 'max' }).map((steps) => play(steps, init))
}

/**
 * The same of one key, in rounds between which nothing is in flight but operations that are never answered; some rounds
 * are one operation by itself.
 */
export function historyInRounds(model: ModelName, init: Json): fc.Arbitrary<Operation[]> {
  const step = fc.record({
    type: fc.constantFrom(...types[model]),
    key: fc.constant('x'),
    value: fc.integer({ min: 0, max: 2 }),
    other: fc.constantFrom<Json>(0, 1, 2, null),
    invoke: fc.integer({ min: 0, max: 4 }),
    length: fc.integer({ min: 0, max: 4 }),
    effect: fc.integer({ min: 0, max: 4 }),
    outcome: fc.constantFrom(...(['ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'unknown', 'lost'] as const)),
    spoilt: fc.constantFrom(false, false, false, false, false, false, false, true),
  })
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), {
    minLength: 2,
    maxLength: 5,
    size: 'max',
  })
  const apart = (steps: Step[], round: number) =>
    steps.map((one) => ({ ...one, invoke: one.invoke + round * roundLength }))
  return rounds.map((drawn) => play(drawn.flatMap(apart), init))
}

/** Longer than a round's last invocation and the longest operation together. */
const roundLength = 10

interface Step {
  readonly type: string
  readonly key: string
  readonly value: number
  readonly other: Json
  readonly invoke: number
  readonly length: number
  readonly effect: number
  readonly outcome: string
  readonly spoilt: boolean
}

function play(steps: readonly Step[], init: Json): Operation[] {
  const state = new Map<string, Json>()
  const operations = new Array<Operation>(steps.length)
  const effectOf = (step: Step) => step.invoke + Math.min(step.effect, step.length)
  const order = [...steps.keys()].sort((a, b) => effectOf(steps[a] as Step) - effectOf(steps[b] as Step))
  for (const index of order) {
    const step = steps[index] as Step
    const current = state.has(step.key) ? (state.get(step.key) as Json) : init
    const happens = step.outcome === 'ok' || step.outcome === 'unknown'
    const input: Json =
      step.type === 'cas'
        ? [step.other, step.value]
        : step.type === 'write' || step.type === 'put'
          ? step.value
          : null
    let output: Json = null
    if (step.type === 'read' || step.type === 'get') output = step.spoilt ? step.other : current
    if (step.type === 'cas') output = (current === step.other) !== step.spoilt
    if (happens && (step.type === 'write' || step.type === 'put')) state.set(step.key, step.value)
    if (happens && step.type === 'delete') state.set(step.key, null)
    if (happens && step.type === 'cas' && current === step.other) state.set(step.key, step.value)
    const open = step.outcome === 'unknown' || step.outcome === 'lost'
    operations[index] = {
      op_id: index,
      process_id: index,
      invoke_ts: step.invoke,
      complete_ts: open ? null : step.invoke + step.length,
      op_type: step.type,
      key: step.key,
      input,
      output: step.outcome === 'ok' ? output : null,
      error: step.outcome === 'ok' ? null : step.outcome === 'failed' ? 'refused' : 'timeout',
      timeout_marker: open,
      node_seen: null,
      fault_epoch: null,
    }
  }
  return operations
}
