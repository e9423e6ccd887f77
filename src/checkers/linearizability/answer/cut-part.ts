import {
  containerKind,
  counterKind,
  growSetKind,
  logKind,
  never,
  none,
  registerKind,
  setKind,
  type ObjectType,
  type Part,
} from '../part.js'

const mostKinds = 256

/** Kinds of operations that only observe; of unknown outcome they say nothing. */
const observers: Readonly<Record<ObjectType, readonly number[]>> = {
  register: [registerKind.read, registerKind.differs],
  counter: [counterKind.read],
  set: [setKind.contains],
  'grow-set': [growSetKind.read],
  queue: [],
  stack: [],
  'priority-queue': [],
  log: [logKind.list, logKind.at, logKind.tail, logKind.slice],
  semaphore: [],
}

/**
 * What was known of a part right after the event of rank `until`: operations invoked later are not there, and those
 * that return later have unknown outcomes. Linearizability is kept by such a cut.
 */
export function cutPart(part: Part, until: number): Part {
  const { object, kind, invoke, lists } = part
  const kept = keptOf(part, until)
  const cut = {
    kind: pick(kind, kept, new Uint8Array(kept.length)),
    a: pick(part.a, kept, new Int32Array(kept.length)),
    b: pick(part.b, kept, new Int32Array(kept.length)),
    invoke: pick(invoke, kept, new Int32Array(kept.length)),
    complete: pick(part.complete, kept, new Int32Array(kept.length)),
  }
  for (let place = 0; place < kept.length; place += 1) {
    const end = cut.complete[place] as number
    if (end <= until || end === never) continue
    cut.complete[place] = never
    forgetResult(object, cut, place)
  }
  return {
    ...part,
    ...cut,
    count: kept.length,
    process: part.process && pick(part.process, kept, new Int32Array(kept.length)),
    source: pick(part.source, kept, new Int32Array(kept.length)),
    lists: lists && keptLists(lists, kept),
    events: rank(cut, part.events),
  }
}

/** What was invoked by then, but for observers that were still open. */
function keptOf({ object, count, kind, invoke, complete }: Part, until: number): Int32Array {
  const skipped = new Uint8Array(mostKinds)
  for (const observer of observers[object]) skipped[observer] = 1
  const kept = new Int32Array(count)
  let length = 0
  for (let index = 0; index < count; index += 1) {
    if ((invoke[index] as number) > until) break
    if ((complete[index] as number) > until && skipped[kind[index] as number] === 1) continue
    kept[length] = index
    length += 1
  }
  return kept.subarray(0, length)
}

function pick<Column extends Uint8Array | Int32Array>(from: Column, kept: Int32Array, into: Column): Column {
  for (let place = 0; place < kept.length; place += 1) into[place] = from[kept[place] as number] as number
  return into
}

type Columns = Pick<Part, 'kind' | 'a' | 'b' | 'invoke' | 'complete'>

function forgetResult(object: ObjectType, { kind, a, b }: Columns, place: number): void {
  switch (object) {
    case 'set':
    case 'log':
      b[place] = none
      break
    case 'queue':
    case 'stack':
    case 'priority-queue':
      if (kind[place] !== containerKind.take) break
      a[place] = none
      b[place] = none
      break
    case 'counter':
      if (kind[place] !== counterKind.addAndGet) break
      kind[place] = counterKind.add
      b[place] = none
      break
    case 'register':
    case 'grow-set':
    case 'semaphore':
  }
}

function keptLists(lists: NonNullable<Part['lists']>, kept: Int32Array): Part['lists'] {
  const starts = new Int32Array(kept.length + 1)
  const elements: number[] = []
  for (const [place, index] of kept.entries()) {
    const its = lists.elements.subarray(lists.starts[index], lists.starts[index + 1])
    for (const element of its) elements.push(element)
    starts[place + 1] = elements.length
  }
  return { starts, elements: Int32Array.from(elements) }
}

/** Numbers the events that are left without gaps. Returns how many there are. */
function rank({ invoke, complete }: Columns, events: number): number {
  const ranks = new Int32Array(events)
  for (const at of invoke) ranks[at] = 1
  for (const at of complete) if (at !== never) ranks[at] = 1
  let next = 0
  for (let event = 0; event < events; event += 1) {
    const isLeft = ranks[event] === 1
    ranks[event] = next
    if (isLeft) next += 1
  }
  for (let place = 0; place < invoke.length; place += 1) {
    invoke[place] = ranks[invoke[place] as number] as number
    const end = complete[place] as number
    if (end !== never) complete[place] = ranks[end] as number
  }
  return next
}
