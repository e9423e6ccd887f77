import type { Disturbance } from '../../capabilities.js'
import { Refusal } from './refusal.js'

/** What a request is to whoever disturbs it. */
export type DiskOperation = 'read' | 'write' | 'fsync'

/** One bit that was flipped. */
export interface Flip {
  readonly path: string
  /** Of the byte in the file. */
  readonly offset: number
  /** The byte as it was, and as it is handed on. */
  readonly before: number
  readonly after: number
}

/** A disturbance in place, with what it has done. */
export interface ActiveDisturbance {
  readonly id: number
  readonly disturbance: Disturbance
  /** Operations that it could have met since it is there. */
  seen: number
  /** Operations that it has disturbed. */
  met: number
  readonly flips: Flip[]
}

const flipsKept = 20

/** The disturbances in place, and what they make of an operation. */
export class Disturbances {
  readonly #active = new Map<number, ActiveDisturbance>()
  #next = 1

  add(disturbance: Disturbance): number {
    const id = this.#next++
    this.#active.set(id, { id, disturbance, seen: 0, met: 0, flips: [] })
    return id
  }

  /** Null when it is not there any more. */
  get(id: number): ActiveDisturbance | null {
    return this.#active.get(id) ?? null
  }

  remove(id: number): void {
    this.#active.delete(id)
  }

  /** True while the file system is to look full. */
  get full(): boolean {
    return [...this.#active.values()].some(({ disturbance }) => disturbance.kind === 'full')
  }

  /** How long the operation is held up, in milliseconds. */
  delayOf(operation: DiskOperation): number {
    if (operation === 'read') return 0
    let delayMs = 0
    for (const { active, disturbance } of this.#of('slow')) {
      delayMs += disturbance.delayMs
      hit(active)
    }
    return delayMs
  }

  /** Throws when the operation is to fail. */
  fail(operation: DiskOperation): void {
    for (const { active, disturbance } of this.#of('fail')) {
      if (disturbance.operation !== operation) continue
      hit(active)
      throw new Refusal(disturbance.error)
    }
  }

  /** Throws ENOSPC, for what needs more space, while the disk is full. */
  grow(): void {
    for (const { active } of this.#of('full')) {
      hit(active)
      throw new Refusal('ENOSPC')
    }
  }

  /** The data as it is handed on: the same, or a copy with a bit flipped. */
  flipped(operation: 'read' | 'write', data: Buffer, where: { path: () => string; offset: number }): Buffer {
    let handed = data
    for (const { active, disturbance } of this.#of('flip')) {
      if (disturbance.on !== operation || data.length === 0) continue
      active.seen += 1
      if (active.seen % disturbance.every !== 0) continue
      active.met += 1
      if (handed === data) handed = Buffer.from(data)
      // The middle of what is read or written: in text most likely part of a value.
      const index = handed.length >> 1
      const before = handed[index] as number
      const after = before ^ 1
      handed[index] = after
      active.flips.push({ path: where.path(), offset: where.offset + index, before, after })
      if (active.flips.length > flipsKept) active.flips.shift()
    }
    return handed
  }

  #of<Kind extends Disturbance['kind']>(
    kind: Kind,
  ): readonly { active: ActiveDisturbance; disturbance: Extract<Disturbance, { kind: Kind }> }[] {
    if (this.#active.size === 0) return []
    return [...this.#active.values()].flatMap((active) =>
      active.disturbance.kind === kind
        ? [{ active, disturbance: active.disturbance as Extract<Disturbance, { kind: Kind }> }]
        : [],
    )
  }
}

function hit(active: ActiveDisturbance): void {
  active.seen += 1
  active.met += 1
}
