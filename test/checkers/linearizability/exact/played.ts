import fc from 'fast-check'
import type { Operation } from '../../../../src/history/operation.js'
import type { Json } from '../../../../src/json.js'

/** An operation on a simulated object. */
export interface Act {
  readonly type: string
  readonly input: Json
}

/** A simulated object: what an operation leaves and answers, and how an answer may be spoilt. */
export interface Simulation<State> {
  readonly init: State
  /** The `n`-th operation of the history; `dice` are some numbers from 0 to 99 to choose by. */
  act(n: number, dice: readonly number[]): Act
  apply(state: State, act: Act): readonly [next: State, output: Json]
  spoil(output: Json, act: Act, dice: readonly number[]): Json
}

const step = fc.record({
  dice: fc.array(fc.nat(99), { minLength: 4, maxLength: 4 }),
  invoke: fc.nat(12),
  length: fc.nat(7),
  effect: fc.nat(7),
  outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'failed', 'unknown', 'lost'),
  spoilt: fc.nat(9),
})

/**
 * Small histories of a simulated object, some of whose answers are spoilt: operations that touch or overlap, every
 * outcome, and the empty history. Many of them are linearizable and many are not.
 */
export function played<State>(
  simulation: Simulation<State>,
  { most = 8, spoiltOfTen = 1 }: { most?: number; spoiltOfTen?: number } = {},
): fc.Arbitrary<Operation[]> {
  const steps = (minLength: number, maxLength: number) =>
    fc.array(step, { minLength, maxLength, size: 'max' })
  return fc
    .oneof(
      { arbitrary: steps(Math.floor(most / 2), most), weight: 9 },
      { arbitrary: steps(0, Math.floor(most / 2)), weight: 1 },
    )
    .map((steps) => play(steps, simulation, spoiltOfTen))
}

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

function play<State>(
  steps: readonly Step[],
  simulation: Simulation<State>,
  spoiltOfTen: number,
): Operation[] {
  const effectOf = ({ invoke, effect, length }: Step) => invoke + Math.min(effect, length)
  const acts = steps.map(({ dice }, n) => simulation.act(n, dice))
  const outputs = new Array<Json>(steps.length).fill(null)
  let state = simulation.init
  for (const n of [...steps.keys()].sort((a, b) => effectOf(steps[a]!) - effectOf(steps[b]!))) {
    const { outcome, dice, spoilt } = steps[n]!
    if (outcome === 'failed' || outcome === 'lost') continue
    const [next, output] = simulation.apply(state, acts[n]!)
    state = next
    outputs[n] = spoilt < spoiltOfTen ? simulation.spoil(output, acts[n]!, dice) : output
  }
  return steps.map(({ outcome, invoke, length }, n) =>
    recorded(n, { ...acts[n]!, outcome, invoke, complete: invoke + length, output: outputs[n]! }),
  )
}

/** The record of an operation. */
export function recorded(
  n: number,
  {
    type,
    input,
    outcome,
    invoke,
    complete,
    output,
    process = n,
  }: Act & { outcome: string; invoke: number; complete: number; output: Json; process?: number },
): Operation {
  const isOpen = outcome === 'unknown' || outcome === 'lost'
  return {
    op_id: n,
    process_id: process,
    invoke_ts: invoke,
    complete_ts: isOpen ? null : complete,
    op_type: type,
    key: null,
    input,
    output: outcome === 'ok' ? output : null,
    error: outcome === 'ok' ? null : outcome === 'failed' ? 'refused' : 'timeout',
    timeout_marker: isOpen,
    node_seen: null,
    fault_epoch: null,
  }
}
