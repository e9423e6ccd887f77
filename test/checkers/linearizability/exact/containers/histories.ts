import fc from 'fast-check'
import type { Operation } from '../../../../../src/history/operation.js'
import type { Json } from '../../../../../src/json.js'

export type ContainerName = 'queue' | 'stack' | 'priority-queue'

const types: Record<ContainerName, { put: string; take: string }> = {
  queue: { put: 'enqueue', take: 'dequeue' },
  stack: { put: 'push', take: 'pop' },
  'priority-queue': { put: 'insert', take: 'poll' },
}

/** When the last operations begin. */
const latest = 24

const step = fc.record({
  puts: fc.nat({ max: 99 }),
  priority: fc.integer({ min: 0, max: 2 }),
  invoke: fc.integer({ min: 0, max: latest }),
  length: fc.integer({ min: 0, max: 6 }),
  effect: fc.integer({ min: 0, max: 6 }),
  outcome: fc.constantFrom('ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'ok', 'unknown', 'lost', 'failed'),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never
type Act = Omit<Step, 'puts'> & { readonly puts: boolean }

/** A change of answers: the take with this number among them gets another answer. */
const spoiling = fc.record({
  take: fc.nat({ max: 9 }),
  becomes: fc.constantFrom('swapped', 'swapped', 'swapped', 'empty', 'empty', 'some', 'nowhere'),
  other: fc.nat({ max: 9 }),
})
type Spoiling = typeof spoiling extends fc.Arbitrary<infer Value> ? Value : never

/**
 * Small histories of a real container, some of whose answers are then spoilt. Operations touch and overlap, and have
 * every outcome; half of the histories put first and take later; operations of unknown outcome may take effect late. In order of invocation. Elements are distinct but for few histories.
 */
export function smallHistory(
  container: ContainerName,
  { longest = 11 }: { longest?: number } = {},
): fc.Arbitrary<Operation[]> {
  return fc
    .record({
      steps: fc.oneof(
        { weight: 1, arbitrary: fc.array(step, { maxLength: 3 }) },
        { weight: 20, arbitrary: fc.array(step, { minLength: 5, maxLength: longest, size: 'max' }) },
      ),
      spoilings: fc.oneof(fc.constant([]), fc.array(spoiling, { minLength: 1, maxLength: 2 })),
      drains: fc.boolean(),
      onlyUnknown: fc.constantFrom(...new Array<boolean>(40).fill(false), true),
      repeats: fc.constantFrom(...new Array<boolean>(40).fill(false), true),
    })
    .map(({ steps, spoilings, drains, onlyUnknown, repeats }) => {
      const all = steps.map((one): Act => ({
        ...one,
        outcome: onlyUnknown ? 'unknown' : one.outcome,
        puts: one.puts < (drains ? (one.invoke < latest / 2 ? 90 : 15) : 57),
      }))
      return spoilt(play(container, all, repeats), { takes: types[container].take, spoilings })
    })
}

function play(container: ContainerName, steps: readonly Act[], repeats: boolean): Operation[] {
  const names = types[container]
  const operations = new Array<Operation>(steps.length)
  let state: Json[] = []
  const delay = (one: Act) => (one.outcome === 'unknown' ? 2 * one.effect : Math.min(one.effect, one.length))
  const effectOf = (index: number) => (steps[index] as Act).invoke + delay(steps[index] as Act)
  for (const index of [...steps.keys()].sort((a, b) => effectOf(a) - effectOf(b))) {
    const { puts, priority, invoke, length, outcome } = steps[index] as Act
    const name = repeats ? index % 2 : index
    const element: Json = container === 'priority-queue' ? { priority, value: name } : name
    const happens = outcome === 'ok' || outcome === 'unknown'
    let taken: Json = null
    if (happens && puts) state = [...state, element]
    if (happens && !puts) {
      const at = nextOf(container, state)
      taken = state[at] ?? null
      state = state.filter((_, place) => place !== at)
    }
    const open = outcome === 'unknown' || outcome === 'lost'
    operations[index] = {
      op_id: index,
      process_id: index,
      invoke_ts: invoke,
      complete_ts: open ? null : invoke + length,
      op_type: puts ? names.put : names.take,
      key: null,
      input: puts ? element : null,
      output: outcome === 'ok' && !puts ? taken : null,
      error: outcome === 'ok' ? null : outcome === 'failed' ? 'refused' : 'timeout',
      timeout_marker: open,
      node_seen: null,
      fault_epoch: null,
    }
  }
  return operations.sort((a, b) => a.invoke_ts - b.invoke_ts)
}

/** Where the element is that leaves next; of equal priorities one in the middle. */
function nextOf(container: ContainerName, state: readonly Json[]): number {
  if (container === 'queue') return 0
  if (container === 'stack') return state.length - 1
  const priorities = state.map((element) => (element as { priority: number }).priority)
  const highest = priorities.flatMap((priority, place) =>
    priority === Math.max(...priorities) ? [place] : [],
  )
  return highest[Math.floor(highest.length / 2)] ?? -1
}

function spoilt(
  operations: readonly Operation[],
  { takes: takeType, spoilings }: { takes: string; spoilings: readonly Spoiling[] },
): Operation[] {
  const spoiltOnes = [...operations]
  const isTake = ({ op_type: type, complete_ts: completed, error }: Operation) =>
    type === takeType && completed !== null && error === null
  const takes = [...operations.keys()].filter((index) => isTake(operations[index] as Operation))
  const elements = operations.filter(({ op_type: type }) => type !== takeType).map(({ input }) => input)
  for (const { take, becomes, other } of spoilings) {
    const one = takes[take % takes.length]
    const two = takes[other % takes.length]
    if (one === undefined || two === undefined) continue
    const [first, second] = [spoiltOnes[one] as Operation, spoiltOnes[two] as Operation]
    if (becomes === 'swapped') {
      spoiltOnes[one] = { ...first, output: second.output }
      spoiltOnes[two] = { ...second, output: first.output }
    } else if (becomes === 'empty') spoiltOnes[one] = { ...first, output: null }
    else if (becomes === 'some')
      spoiltOnes[one] = { ...first, output: elements[other % elements.length] ?? null }
    else if (other === 0)
      spoiltOnes[one] = {
        ...first,
        output: typeof elements[0] === 'object' ? { priority: 9, value: 99 } : 99,
      }
  }
  return spoiltOnes
}
