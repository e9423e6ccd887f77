/** What a node of the graph stands for. */
export const nodeKind = {
  /** A write, or a version that was seen and whose write is not known. */
  write: 0,
  /** Hands on "not after": what leads to it comes before what it leads to, or is the same write. */
  relay: 1,
  /** Hands on "before": what leads to it comes before what it leads to, and is another write. */
  strict: 2,
} as const

/** An edge of a cycle. `earlier` and `later` are the operations that ask for it, -1 where there are none. */
export interface Edge {
  readonly from: number
  readonly to: number
  readonly earlier: number
  readonly later: number
}

/** Starting points that are tried for a short cycle. */
const attempts = 8

/**
 * What an order of all writes must keep, as a graph. There is such an order exactly when no cycle goes through two
 * writes or through a strict node.
 */
export class WriteOrder {
  readonly kinds: number[] = []
  readonly #from = new IntList()
  readonly #to = new IntList()
  readonly #earlier = new IntList()
  readonly #later = new IntList()

  add(kind: number): number {
    this.kinds.push(kind)
    return this.kinds.length - 1
  }

  /** `from` comes before `to`. Of a write before itself nothing is asked. */
  before(from: number, to: number, earlier = -1, later = -1): void {
    if (from === to && this.kinds[from] !== nodeKind.strict) return
    this.#from.push(from)
    this.#to.push(to)
    this.#earlier.push(earlier)
    this.#later.push(later)
  }

  get edges(): number {
    return this.#from.length
  }

  /** A short cycle of each knot that no order can undo; at most `limit` of them, and how many there are in all. */
  cycles(limit: number): { cycles: readonly (readonly Edge[])[]; count: number } {
    const outgoing = this.#outgoing()
    const { component, knots } = this.#knots(outgoing)
    const cycles = knots
      .slice(0, limit)
      .map((nodes) => this.#shortest(nodes, { outgoing, component }))
      .filter((cycle) => cycle !== null)
    return { cycles, count: knots.length }
  }

  /** Edges by the node that they leave: those of node n are `order[start[n]]` up to `order[start[n + 1]]`. */
  #outgoing(): Outgoing {
    const count = this.kinds.length
    const start = new Int32Array(count + 1)
    for (let edge = 0; edge < this.edges; edge += 1) start[this.#from.at(edge) + 1]! += 1
    for (let node = 0; node < count; node += 1) start[node + 1]! += start[node]!
    const next = start.slice()
    const order = new Int32Array(this.edges)
    for (let edge = 0; edge < this.edges; edge += 1) order[next[this.#from.at(edge)]!++] = edge
    return { start, order }
  }

  /** Strongly connected components (Tarjan, 1972), without recursion; the knots are those that no order can undo. */
  #knots({ start, order }: Outgoing): { component: Int32Array; knots: number[][] } {
    const count = this.kinds.length
    const index = new Int32Array(count).fill(-1)
    const low = new Int32Array(count)
    const component = new Int32Array(count).fill(-1)
    const next = start.slice(0, count)
    const open: number[] = []
    const path: number[] = []
    const knots: number[][] = []
    let found = 0
    for (let root = 0; root < count; root += 1) {
      if (index[root] !== -1) continue
      path.push(root)
      while (path.length > 0) {
        const node = path.at(-1)!
        if (index[node] === -1) {
          index[node] = low[node] = found
          found += 1
          open.push(node)
        }
        let descends = false
        while (next[node]! < start[node + 1]!) {
          const to = this.#to.at(order[next[node]!]!)
          if (index[to] === -1) {
            descends = true
            path.push(to)
            break
          }
          if (component[to] === -1 && low[to]! < low[node]!) low[node] = low[to]!
          next[node]! += 1
        }
        if (descends) continue
        path.pop()
        if (low[node] !== index[node]) continue
        // Most components are one node, of which no list is worth making.
        if (open.at(-1) === node) {
          open.pop()
          component[node] = node
          if (this.#leadsToItself(node, { start, order })) knots.push([node])
          continue
        }
        const members: number[] = []
        for (let member = -1; member !== node;) {
          member = open.pop()!
          component[member] = node
          members.push(member)
        }
        if (this.#isKnot(members)) knots.push(members)
      }
    }
    return { component, knots }
  }

  #leadsToItself(node: number, { start, order }: Outgoing): boolean {
    for (let at = start[node]!; at < start[node + 1]!; at += 1) {
      if (this.#to.at(order[at]!) === node) return true
    }
    return false
  }

  #isKnot(members: readonly number[]): boolean {
    let writes = 0
    for (const member of members) {
      if (this.kinds[member] === nodeKind.strict) return true
      if (this.kinds[member] === nodeKind.write) writes += 1
    }
    return writes > 1
  }

  #shortest(
    members: readonly number[],
    graph: { outgoing: Outgoing; component: Int32Array },
  ): readonly Edge[] | null {
    const strict = members.filter((member) => this.kinds[member] === nodeKind.strict)
    const writes = members.filter((member) => this.kinds[member] === nodeKind.write)
    let best: readonly Edge[] | null = null
    for (const from of [...writes.slice(0, attempts), ...strict.slice(0, attempts)]) {
      const cycle = this.#cycleThrough(from, graph)
      if (cycle !== null && (best === null || cycle.length < best.length)) best = cycle
    }
    return best
  }

  /** The shortest way from a node back to it that meets another write or a strict node, by breadth-first search. */
  #cycleThrough(
    start: number,
    { outgoing, component }: { outgoing: Outgoing; component: Int32Array },
  ): readonly Edge[] | null {
    const tells = (node: number) =>
      this.kinds[node] === nodeKind.strict || (this.kinds[node] === nodeKind.write && node !== start)
    /** By twice the node, plus one when the way to it has met what makes a cycle telling: the edge that led there. */
    const cameBy = new Map<number, { edge: number; from: number }>()
    const goal = start * 2 + 1
    const first = start * 2 + (tells(start) ? 1 : 0)
    let front = [first]
    while (front.length > 0) {
      const following: number[] = []
      for (const state of front) {
        const node = state >> 1
        for (let at = outgoing.start[node]!; at < outgoing.start[node + 1]!; at += 1) {
          const edge = outgoing.order[at]!
          const to = this.#to.at(edge)
          if (component[to] !== component[start]) continue
          const reached = to * 2 + (tells(to) ? 1 : state & 1)
          if (cameBy.has(reached)) continue
          cameBy.set(reached, { edge, from: state })
          if (reached === goal) return this.#trail(cameBy, { goal, first })
          following.push(reached)
        }
      }
      front = following
    }
    return null
  }

  #trail(
    cameBy: ReadonlyMap<number, { edge: number; from: number }>,
    { goal, first }: { goal: number; first: number },
  ): readonly Edge[] {
    const trail: Edge[] = []
    let state = goal
    do {
      const { edge, from } = cameBy.get(state)!
      trail.push({
        from: this.#from.at(edge),
        to: this.#to.at(edge),
        earlier: this.#earlier.at(edge),
        later: this.#later.at(edge),
      })
      state = from
    } while (state !== first)
    return trail.reverse()
  }
}

interface Outgoing {
  readonly start: Int32Array
  readonly order: Int32Array
}

/** Whole numbers in one growing piece of memory. */
class IntList {
  length = 0
  #items = new Int32Array(1024)

  push(item: number): void {
    if (this.length === this.#items.length) {
      const wider = new Int32Array(this.length * 2)
      wider.set(this.#items)
      this.#items = wider
    }
    this.#items[this.length] = item
    this.length += 1
  }

  at(index: number): number {
    return this.#items[index]!
  }
}
