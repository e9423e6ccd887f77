/**
 * Doubly linked rings of operations: one is taken out and put back in constant time, in reverse order. Each ring has a
 * head, numbered after the operations.
 */
export class Ring {
  readonly next: Int32Array
  readonly previous: Int32Array

  constructor(operations: number, heads: number) {
    this.next = new Int32Array(operations + heads)
    this.previous = new Int32Array(operations + heads)
    for (let head = operations; head < operations + heads; head += 1) {
      this.next[head] = head
      this.previous[head] = head
    }
  }

  append(head: number, item: number): void {
    const last = this.previous[head] as number
    this.next[last] = item
    this.previous[item] = last
    this.next[item] = head
    this.previous[head] = item
  }

  take(item: number): void {
    const before = this.previous[item] as number
    const after = this.next[item] as number
    this.next[before] = after
    this.previous[after] = before
  }

  putBack(item: number): void {
    this.next[this.previous[item] as number] = item
    this.previous[this.next[item] as number] = item
  }
}
