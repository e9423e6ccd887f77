/** First come, first served: at most one holder at a time. */
export class TurnQueue<Member> {
  #holder: Member | null = null
  #waiting: Member[] = []
  readonly #grant: (member: Member) => void

  constructor(grant: (member: Member) => void) {
    this.#grant = grant
  }

  /** True while somebody holds the turn or waits for it. */
  get busy(): boolean {
    return this.#holder !== null
  }

  join(member: Member): void {
    if (this.#holder === member || this.#waiting.includes(member)) return
    this.#waiting.push(member)
    this.#next()
  }

  /** Gives the turn back, or the place in the queue. Safe to call for a member that has neither. */
  leave(member: Member): void {
    this.#waiting = this.#waiting.filter((other) => other !== member)
    if (this.#holder !== member) return
    this.#holder = null
    this.#next()
  }

  /** Empties the queue and returns who was waiting. The holder keeps its turn. */
  dismiss(): Member[] {
    return this.#waiting.splice(0)
  }

  #next(): void {
    if (this.#holder !== null) return
    const next = this.#waiting.shift()
    if (next === undefined) return
    this.#holder = next
    this.#grant(next)
  }
}
