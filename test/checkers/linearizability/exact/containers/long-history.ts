import { containerKind, never, none, type Part } from '../../../../../src/checkers/linearizability/part.js'
import { Random } from '../../../../../src/random/random.js'
import { codedPart, type Coded } from '../../parts.js'
import type { ContainerName } from './histories.js'

interface Options {
  readonly operations: number
  readonly clients: number
  /** Share of operations whose outcome is unknown; half of these had an effect. */
  readonly unknown: number
  readonly seed: number
}

interface ClientState {
  readonly phase: 'idle' | 'called' | 'done'
  readonly operation: number
}

/** Clients that take steps at random on a real container: a history that is linearizable by construction. */
export function longHistory(
  container: ContainerName,
  { operations, clients, unknown, seed }: Options,
): Coded[] {
  const random = new Random(seed)
  const coded: Coded[] = []
  const idle: ClientState = { phase: 'idle', operation: none }
  const states = Array.from({ length: clients }, () => idle)
  let content: number[] = []
  const priorityOf = (element: number) => (element * 7) % 5
  let time = 0
  let busy = 0
  while (coded.length < operations || busy > 0) {
    const client = random.int(0, clients - 1)
    const { phase, operation } = states[client] as ClientState
    time += 1
    if (phase === 'idle') {
      if (coded.length === operations) continue
      busy += 1
      const element = coded.length
      states[client] = { phase: 'called', operation: element }
      const puts = random.float() < 0.5
      const b = container === 'priority-queue' && puts ? priorityOf(element) : none
      coded.push([puts ? containerKind.put : containerKind.take, puts ? element : none, b, time, null])
      continue
    }
    const [kind, a, b, at] = coded[operation] as Coded
    if (phase === 'called') {
      const lost = random.float() < unknown
      states[client] = lost ? idle : { phase: 'done', operation }
      if (lost) busy -= 1
      if (lost && random.float() < 0.5) continue
      if (kind === containerKind.put) content.push(a)
      else {
        const taken = nextOf(container, { content, priorityOf })
        content = content.filter((element) => element !== taken)
        if (!lost) coded[operation] = [kind, taken, b, at, null]
      }
    } else {
      states[client] = idle
      busy -= 1
      coded[operation] = [kind, a, b, at, time]
    }
  }
  return coded
}

function nextOf(
  container: ContainerName,
  { content, priorityOf }: { content: readonly number[]; priorityOf: (element: number) => number },
): number {
  if (container === 'queue') return content[0] ?? none
  if (container === 'stack') return content.at(-1) ?? none
  const highest = Math.max(...content.map(priorityOf))
  return content.find((element) => priorityOf(element) === highest) ?? none
}

/** Gives two takes in the second half of a history each other's results: two that are far from one another. */
export function withSwappedTakes(coded: readonly Coded[]): Coded[] {
  const takes = [...coded.keys()].filter((index) => {
    const [kind, a, , , completed] = coded[index] as Coded
    return index > coded.length / 2 && kind === containerKind.take && a !== none && completed !== null
  })
  const puts = new Map(coded.filter(([kind]) => kind === containerKind.put).map((put) => [put[1], put]))
  const first = takes[0] as number
  const [, element, , , returned] = coded[first] as Coded
  // Its element must have been put before the first take, or the swap is found out at once.
  const second = takes.findLast((index) => {
    const [, a, , at] = coded[index] as Coded
    return at > (returned ?? never) && (puts.get(a)?.[4] ?? never) < (coded[first] as Coded)[3]
  })
  if (second === undefined) throw new Error('nothing to swap')
  const other = (coded[second] as Coded)[1]
  return coded.map((operation, index): Coded => {
    const [kind, , b, at, completed] = operation
    if (index === first) return [kind, other, b, at, completed]
    return index === second ? [kind, element, b, at, completed] : operation
  })
}

/** The part with the given operations alone. */
export function restricted(part: Part, operations: readonly number[]): Part {
  const coded = operations.map((one): Coded => {
    const [kind, a, b, at, completed] = [part.kind, part.a, part.b, part.invoke, part.complete].map(
      (column) => column[one] as number,
    ) as [number, number, number, number, number]
    return [kind, a, b, at, completed === never ? null : completed]
  })
  return codedPart(part.object, coded, { values: part.values })
}
